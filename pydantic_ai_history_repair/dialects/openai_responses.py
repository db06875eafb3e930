"""OpenAI Responses."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from ._base import Dialect, NameFormat

OPENAI_RESPONSES: Final = Dialect(
    name='openai-responses',
    title='OpenAI Responses',
    api='openai-responses',
    source='https://platform.openai.com/docs/api-reference/responses',
    tool_call_id=NameFormat(r'\s\S', longest=64),
    distinct_tool_call_ids=True,
    tool_name=NameFormat('a-zA-Z0-9_-', longest=128),
    own_providers=frozenset({'openai', 'azure', 'openai-chatgpt', 'github-copilot'}),
    item_id_prefixes=MappingProxyType({'text': 'msg', 'thinking': 'rs', 'tool-call': 'fc'}),
    sources={
        'tool_call_id': 'https://github.com/earendil-works/pi/issues/1022',
        'distinct_tool_call_ids': 'https://github.com/NousResearch/hermes-agent/issues/102629',
        'tool_name': 'https://github.com/vercel/ai/issues/1972',
        'item_id_prefixes': 'https://github.com/gethnet/litellm-connector-copilot/issues/54',
    },
)
