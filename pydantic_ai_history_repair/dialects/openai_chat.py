"""OpenAI Chat Completions, and the vendors that borrow it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ._base import Dialect, NameFormat

_CHAT: Final = Dialect(
    name='',
    title='',
    api='openai-chat',
    source=None,
    answers_each_response=True,
    results_first=True,
    sources={
        'answers_each_response': 'https://github.com/microsoft/agent-framework/issues/694',
        'results_first': 'https://github.com/gptme/gptme/issues/3421',
    },
)
"""What holds for everybody who speaks this API."""

OPENAI_CHAT: Final = replace(
    _CHAT,
    name='openai-chat',
    title='OpenAI Chat Completions',
    source='https://platform.openai.com/docs/api-reference/chat',
    tool_call_id=NameFormat(r'\s\S', longest=64),
    tool_name=NameFormat('a-zA-Z0-9_-', longest=64),
    own_providers=frozenset({'openai', 'azure', 'openai-chatgpt'}),
    refused_thinking_id='^rs_',
    sources={
        **_CHAT.sources,
        'tool_call_id': 'https://github.com/earendil-works/pi/issues/1022',
        'tool_name': 'https://github.com/vercel/ai/issues/1972',
        'refused_thinking_id': 'https://github.com/pydantic/pydantic-ai/blob/v2.68.0/pydantic_ai_slim/pydantic_ai/models/openai/_chat_model.py',
    },
)

_BORROWED: Final = replace(
    OPENAI_CHAT,
    refused_thinking_id=None,  # nobody has reported that they refuse a field that they do not know
    sources={fact: source for fact, source in OPENAI_CHAT.sources.items() if fact != 'refused_thinking_id'},
)
"""What is taken to hold for the vendors that borrow the API."""

GROQ: Final = replace(
    _BORROWED,
    name='groq',
    title='Groq',
    source='https://console.groq.com/docs/api-reference#chat-create',
    own_providers=frozenset({'groq'}),
    refuses_empty_response=True,
    sources={
        **_BORROWED.sources,
        'refuses_empty_response': 'https://console.groq.com/docs/api-reference#chat-create',
    },
)

DEEPSEEK: Final = replace(
    _BORROWED,
    name='deepseek',
    title='DeepSeek',
    source='https://api-docs.deepseek.com/api/create-chat-completion',
    models=r'^deepseek:|[:/]deepseek-',
    own_providers=frozenset({'deepseek'}),
)

KIMI: Final = replace(
    _BORROWED,
    name='kimi',
    title='Moonshot Kimi',
    source='https://platform.moonshot.ai/docs/api/chat',
    models=r'^moonshotai:|[:/](kimi-|moonshot-v)',
    own_providers=frozenset({'moonshotai'}),
)

QWEN: Final = replace(
    _BORROWED,
    name='qwen',
    title='Qwen on Model Studio',
    source='https://www.alibabacloud.com/help/en/model-studio/qwen-api-reference',
    models=r'^alibaba:|[:/]qwen',
    own_providers=frozenset({'alibaba'}),
)

GLM: Final = replace(
    _BORROWED,
    name='glm',
    title='GLM (Z.ai)',
    source='https://docs.z.ai/api-reference/llm/chat-completion',
    models=r'^zai:|[:/]glm-',
    own_providers=frozenset({'zai'}),
    needs_user_message=True,
    sources={
        **_BORROWED.sources,
        'needs_user_message': 'https://github.com/MetaGLM/zhipuai-sdk-python-v4/issues/14',
    },
)

MINIMAX: Final = replace(
    _BORROWED,
    name='minimax',
    title='MiniMax',
    source='https://platform.minimax.io/docs/api-reference/text-openai-api',
    models=r'[:/]minimax-',
    own_providers=frozenset({'minimax'}),
    distinct_tool_call_ids=True,
    sources={
        **_BORROWED.sources,
        'distinct_tool_call_ids': 'https://github.com/can1357/oh-my-pi/issues/2055',
    },
)

XAI: Final = replace(
    _BORROWED,
    name='xai',
    title='xAI Grok',
    source='https://docs.x.ai/docs/api-reference#chat-completions',
    models=r'^(grok|xai):|[:/]grok-',
    own_providers=frozenset({'grok', 'xai'}),
    refused_text=frozenset({'empty'}),
    refused_result_text=frozenset({'empty'}),
    refuses_empty_response=True,
    sources={
        **_BORROWED.sources,
        'refused_text': 'https://docs.x.ai/docs/api-reference#chat-completions',
        'refused_result_text': 'https://docs.x.ai/docs/api-reference#chat-completions',
        'refuses_empty_response': 'https://docs.x.ai/docs/api-reference#chat-completions',
    },
)

MISTRAL_COMPATIBLE: Final = replace(
    _CHAT,
    name='mistral-compatible',
    title='Mistral behind an OpenAI-compatible API',
    source='https://docs.mistral.ai/api/#tag/chat',
    models=r'[:/](mistral|ministral|magistral|codestral|devstral|pixtral|voxtral|open-mi[sx]tral)',
    tool_call_id=NameFormat('a-zA-Z0-9', longest=9, shortest=9),
    results_alone=True,
    system_first=True,
    ends_on_user=True,
    own_providers=OPENAI_CHAT.own_providers,
    refused_thinking_id=OPENAI_CHAT.refused_thinking_id,
    refused_text=frozenset({'empty'}),
    refuses_empty_response=True,
    sources={
        **_CHAT.sources,
        'tool_call_id': 'https://github.com/pydantic/pydantic-ai/issues/9096',
        'results_alone': 'https://github.com/pipecat-ai/pipecat-flows/issues/178',
        'refused_thinking_id': OPENAI_CHAT.sources['refused_thinking_id'],
        'system_first': 'https://docs.mistral.ai/api/#tag/chat',
        'ends_on_user': 'https://docs.mistral.ai/api/#tag/chat',
        'refused_text': 'https://docs.mistral.ai/api/#tag/chat',
        'refuses_empty_response': 'https://docs.mistral.ai/api/#tag/chat',
    },
)

QWEN_TEMPLATE: Final = replace(
    _BORROWED,
    name='qwen-template',
    title='A chat template that takes one system message, in front (Qwen 3 on vLLM, Ollama, llama.cpp)',
    source='https://github.com/vllm-project/vllm/issues/41114',
    system_first=True,
    sources={**_BORROWED.sources, 'system_first': 'https://github.com/vllm-project/vllm/issues/41114'},
)
