"""Amazon Bedrock Converse, and the model families behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ._base import Dialect, NameFormat

BEDROCK_NOVA: Final = Dialect(
    name='bedrock-nova',
    title='Amazon Bedrock Converse with Nova, or any other family that adds nothing of its own',
    api='bedrock',
    source='https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html',
    models=r'^bedrock:(?!.*claude)',
    tool_call_id=NameFormat('a-zA-Z0-9_.:-', longest=64),
    tool_name=NameFormat('a-zA-Z0-9_-', longest=64),
    results_first=True,
    ends_on_user=True,
    refused_text=frozenset({'empty'}),
    refused_result_text=frozenset({'empty'}),
    own_providers=frozenset({'bedrock', 'anthropic'}),
    declares_tools=True,
    sources={
        'tool_call_id': 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html',
        'tool_name': 'https://github.com/pydantic/pydantic-ai/issues/4585',
        'results_first': 'https://github.com/agno-agi/agno/pull/6694',
        'ends_on_user': 'https://github.com/pydantic/pydantic-ai/issues/4495',
        'refused_text': 'https://github.com/OpenHands/OpenHands/issues/5339',
        'refused_result_text': 'https://github.com/boto/botocore/issues/3525',
        'declares_tools': 'https://github.com/pydantic/pydantic-ai/issues/1966',
    },
)

BEDROCK: Final = replace(
    BEDROCK_NOVA,
    name='bedrock',
    title='Amazon Bedrock Converse, valid for every family including Claude',
    models='',
    tool_call_id=NameFormat('a-zA-Z0-9_-', longest=64),
    calls_last=True,
    signed_thinking=True,
    thinking_opens_tool_loop=True,
    sources={
        **BEDROCK_NOVA.sources,
        'tool_call_id': 'https://github.com/musistudio/claude-code-router/issues/599',
        'calls_last': 'https://github.com/BerriAI/litellm/issues/24361',
        'signed_thinking': 'https://github.com/pydantic/pydantic-ai/issues/7908',
        'thinking_opens_tool_loop': 'https://github.com/anomalyco/opencode/issues/3077',
    },
)
