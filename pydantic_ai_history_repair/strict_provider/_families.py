"""Which model family a model name belongs to, where families of one API differ."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Family:
    """Models that one API treats alike, recognised by their names."""

    name: str
    pattern: str
    """Regular expression, searched in the lower-cased model name; an empty one matches no name."""
    why: str
    """What sets the family apart."""
    source: str
    checked: str = '2026-11-30'


_OTHER = Family(
    name='other',
    pattern='',
    why='Nothing but what holds for the whole API; also the answer for a name that no pattern matches.',
    source='https://github.com/pydantic/pydantic-ai',
)

FAMILIES: dict[str, tuple[Family, ...]] = {
    'anthropic': (
        Family(
            name='claude-4.5',
            pattern=r'claude-(v?[123]\b|instant|(opus|sonnet|haiku)-4([-.][015])?([-@:]\d{6,}.*|-latest)?$)',
            why='Claude up to 4.5: takes a final assistant turn, no `system` entry among the messages.',
            source='https://platform.claude.com/docs/en/about-claude/models/overview',
        ),
        Family(
            name='claude-4.6',
            pattern='claude',
            why='Claude from 4.6 on: the conversation ends on a user turn.',
            source='https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-6',
        ),
        Family(
            name='minimax',
            pattern='minimax',
            why='MiniMax behind the Anthropic API.',
            source='https://github.com/anomalyco/opencode/pull/32609',
        ),
        _OTHER,
    ),
}


def family_of(api: str, model: str) -> str:
    """The name of the first family of the API whose pattern is found in the model name."""
    name = model.lower()
    return next(
        (family.name for family in FAMILIES[api] if family.pattern and re.search(family.pattern, name)), 'other'
    )
