"""Anthropic Messages, and who borrows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ._base import Dialect, NameFormat

ANTHROPIC: Final = Dialect(
    name='anthropic',
    title='Anthropic Messages',
    api='anthropic',
    source='https://platform.claude.com/docs/en/api/messages',
    tool_call_id=NameFormat('a-zA-Z0-9_-', longest=256),
    tool_name=NameFormat('a-zA-Z0-9_-', longest=128),
    calls_last=True,
    results_first=True,
    ends_on_user=True,
    refused_text=frozenset({'whitespace'}),  # the adapter itself leaves empty text out
    refused_result_text=frozenset({'empty', 'whitespace'}),
    own_providers=frozenset({'anthropic'}),
    signed_thinking=True,
    pairs_native_tools=True,
    declares_tools=True,
    thinking_opens_tool_loop=True,
    sources={
        'tool_call_id': 'https://github.com/anomalyco/opencode/issues/1279',
        'tool_name': 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use',
        'calls_last': 'https://github.com/BerriAI/litellm/issues/24361',
        'results_first': 'https://github.com/Amazon-Q-Developer/language-servers/pull/1235',
        'ends_on_user': 'https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-6#prefill-removal',
        'refused_text': 'https://github.com/anthropics/claude-code/issues/23440',
        'refused_result_text': 'https://github.com/block/buzz/pull/559',
        'signed_thinking': 'https://github.com/pydantic/pydantic-ai/issues/7597',
        'pairs_native_tools': 'https://github.com/anthropics/claude-code/issues/64383',
        'declares_tools': 'https://github.com/pydantic/pydantic-ai/issues/1966',
        'thinking_opens_tool_loop': 'https://github.com/pydantic/pydantic-ai/issues/2075',
    },
)

MINIMAX_ANTHROPIC: Final = replace(
    ANTHROPIC,
    name='minimax-anthropic',
    title='MiniMax behind the Anthropic API',
    source='https://platform.minimax.io/docs/api-reference/text-anthropic-api',
    models='minimax',
    distinct_tool_call_ids=True,
    results_alone=True,
    sources={
        **ANTHROPIC.sources,
        'distinct_tool_call_ids': 'https://github.com/can1357/oh-my-pi/issues/2055',
        'results_alone': 'https://github.com/anomalyco/opencode/pull/32609',
    },
)
