"""What a dialect is, and the ones there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, kw_only=True, slots=True)
class Dialect:
    """A wire API, as far as it decides which histories are accepted."""

    name: str
    """The name to pass as `dialect=`, such as `'openai-chat'`."""

    title: str
    """The name people use."""

    source: str | None
    """Where the API is documented; `None` for `'portable'`, which is no single API."""


DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        dialect.name: dialect
        for dialect in (
            Dialect(name='portable', title='Valid for every API', source=None),
            Dialect(
                name='anthropic',
                title='Anthropic Messages',
                source='https://docs.anthropic.com/en/api/messages',
            ),
            Dialect(
                name='openai-chat',
                title='OpenAI Chat Completions',
                source='https://platform.openai.com/docs/api-reference/chat',
            ),
            Dialect(
                name='openai-responses',
                title='OpenAI Responses',
                source='https://platform.openai.com/docs/api-reference/responses',
            ),
            Dialect(
                name='google',
                title='Gemini generateContent',
                source='https://ai.google.dev/api/generate-content',
            ),
            Dialect(
                name='bedrock',
                title='Amazon Bedrock Converse',
                source='https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html',
            ),
            Dialect(
                name='mistral',
                title='Mistral chat',
                source='https://docs.mistral.ai/api/#tag/chat',
            ),
        )
    }
)
"""Every dialect by name."""


def resolve_dialect(dialect: Dialect | str | None) -> Dialect | None:
    """The dialect a user named.

    Raises:
        ValueError: If there is no dialect of that name.
    """
    if dialect is None or isinstance(dialect, Dialect):
        return dialect
    if dialect not in DIALECTS:
        raise ValueError(f'`dialect` must be one of {", ".join(map(repr, DIALECTS))} or `None`, got {dialect!r}.')
    return DIALECTS[dialect]
