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
    """Where that can be read, empty where there is nothing to tell."""
    checked: str = '2026-11-30'


_OTHER = Family(
    name='other',
    pattern='',
    why='Nothing but what holds for the whole API; also the answer for a name that no pattern matches.',
    source='',
)

_CLAUDE = (
    Family(
        name='claude-4.5',
        pattern=r'claude-(v?[123]\b|instant|(opus|sonnet|haiku)-4([-.][015](?!\d)|(?![-.]\d{1,2}(?!\d))))',
        why='Claude up to 4.5: the conversation may end on an assistant turn.',
        source='https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-6#prefill-removal',
    ),
    Family(
        name='claude-4.6',
        pattern=r'claude-(opus|sonnet|haiku)-4[-.][67](?!\d)',
        why='Claude 4.6 and 4.7: the conversation ends on a user turn.',
        source='https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-6#prefill-removal',
    ),
    Family(
        name='claude-4.8',
        pattern='claude',
        why='Claude from 4.8 on: takes `system` entries among the messages too.',
        source='https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages',
    ),
)
_NO_MODEL_TURN_LAST = r'gemini-(3\.5-flash-lite|3\.[6-9]|3\.\d\d|[4-9])'

FAMILIES: dict[str, tuple[Family, ...]] = {
    'anthropic': (
        *_CLAUDE,
        Family(
            name='minimax',
            pattern='minimax',
            why='MiniMax behind the Anthropic API.',
            source='https://github.com/anomalyco/opencode/pull/32609',
        ),
        _OTHER,
    ),
    'openai-chat': (
        Family(
            name='openai',
            pattern=r'^(ft:)?(gpt-(\d|audio|realtime)|o\d(-|$)|chatgpt-|codex-)',
            why='OpenAI itself and Azure: one answer per call, ids up to 64 characters, known fields only.',
            source='https://platform.openai.com/docs/models',
        ),
        Family(
            name='mistral',
            pattern=r'^(mistral|ministral|magistral|codestral|devstral|pixtral|voxtral|open-mi[sx]tral).*-(latest|\d{4})$',
            why="Mistral behind a borrowed API: the rules of `'mistral'` hold.",
            source='https://docs.mistral.ai/getting-started/models/models_overview/',
        ),
        Family(
            name='deepseek',
            pattern=r'^deepseek-(chat|reasoner|v\d)',
            why='In thinking mode reasoning goes back with the calls.',
            source='https://api-docs.deepseek.com/guides/thinking_mode',
        ),
        Family(
            name='groq',
            pattern='',
            why='A strict schema for assistant messages; the models have the names of other vendors.',
            source='https://console.groq.com/docs/api-reference#chat-create',
        ),
        Family(
            name='minimax',
            pattern='^minimax-',
            why='Ids are unique over the whole request, arguments are JSON.',
            source='https://github.com/can1357/oh-my-pi/issues/2055',
        ),
        Family(
            name='kimi',
            pattern='^(kimi-|moonshot-v)',
            why='With thinking on, reasoning goes back with every call.',
            source='https://github.com/QuantumNous/new-api/issues/3121',
        ),
        Family(
            name='glm',
            pattern='^glm-',
            why='There is always a user message.',
            source='https://github.com/MetaGLM/zhipuai-sdk-python-v4/issues/14',
        ),
        Family(
            name='qwen',
            pattern=r'^qwen[\d.]*-(max|plus|turbo|flash|long|coder-plus|coder-flash)',
            why='Model Studio: assistant messages have content, arguments are JSON.',
            source='https://github.com/pydantic/pydantic-ai/issues/5287',
        ),
        Family(
            name='xai',
            pattern='^grok-',
            why='No message is empty.',
            source='https://docs.x.ai/docs/api-reference#chat-completions',
        ),
        Family(
            name='alternating-template',
            pattern='',
            why='A chat template that raises unless user and assistant alternate, as Gemma has on vLLM.',
            source='https://github.com/suitenumerique/conversations/issues/197',
        ),
        Family(
            name='qwen-template',
            pattern='',
            why='A chat template that raises on a late system message, as Qwen 3 has on vLLM, Ollama and llama.cpp.',
            source='https://github.com/vllm-project/vllm/issues/41114',
        ),
        _OTHER,
    ),
    'openai-responses': (
        Family(
            name='openai',
            pattern=r'^(ft:|openai\.)?(gpt-\d|o\d(-|$)|chatgpt-|codex-|computer-use-)',
            why='OpenAI itself, Azure and Bedrock Mantle: item ids, and reasoning tied to what follows it.',
            source='https://platform.openai.com/docs/models',
        ),
        Family(
            name='deepseek',
            pattern='^deepseek-',
            why='The calls of one turn stand together.',
            source='https://github.com/pydantic/pydantic-ai/issues/7430',
        ),
        Family(
            name='minimax',
            pattern='^minimax-',
            why='The refusals have texts of their own.',
            source='https://github.com/anomalyco/opencode/pull/32609',
        ),
        _OTHER,
    ),
    'google': (
        Family(
            name='vertex-gemini-3.6',
            pattern=r'publishers/.*' + _NO_MODEL_TURN_LAST,
            why='Both of the following.',
            source='https://github.com/deepnoodle-ai/dive/pull/287',
        ),
        Family(
            name='vertex-gemini-3',
            pattern=r'publishers/.*gemini-3',
            why='Gemini 3 on Vertex AI, known by `publishers/` in the model path.',
            source='https://github.com/pydantic/pydantic-ai/issues/580',
        ),
        Family(
            name='vertex-gemini-2',
            pattern=r'publishers/.*gemini-[12]',
            why='Earlier models on Vertex AI: no empty text, the responses of a turn in one content.',
            source='https://github.com/pydantic/pydantic-ai/issues/580',
        ),
        Family(
            name='gemini-3.6',
            pattern=_NO_MODEL_TURN_LAST,
            why='Gemini 3.6, 3.5 Flash-Lite and later: as Gemini 3, and no model turn at the end.',
            source='https://github.com/LibreChat-AI/agents/pull/323',
        ),
        Family(
            name='gemini-3',
            pattern='gemini-3',
            why='Calls carry thought signatures.',
            source='https://ai.google.dev/gemini-api/docs/thought-signatures',
        ),
        Family(
            name='gemini-2',
            pattern='gemini-[12]',
            why='No thought signatures needed, a model turn may come last.',
            source='https://github.com/LibreChat-AI/agents/pull/323',
        ),
        _OTHER,
    ),
    'bedrock': (
        *_CLAUDE,
        Family(
            name='nova',
            pattern='(^|[./])amazon\\.nova',
            why='Amazon Nova: the user speaks first.',
            source='https://github.com/pydantic/pydantic-ai/issues/4495',
        ),
        Family(
            name='llama',
            pattern='meta\\.llama',
            why='Llama: the user speaks first, results stand alone in their turn.',
            source='https://github.com/pydantic/pydantic-ai/issues/6081',
        ),
        Family(
            name='mistral',
            pattern='mistral\\.',
            why='Mistral: the user speaks first, results stand alone in their turn.',
            source='https://github.com/pydantic/pydantic-ai/issues/6081',
        ),
        Family(
            name='writer',
            pattern='writer\\.',
            why='Writer Palmyra: the user speaks first, results stand alone in their turn.',
            source='https://github.com/pydantic/pydantic-ai/issues/6081',
        ),
        _OTHER,
    ),
    'mistral': (
        Family(
            name='mistral',
            pattern='',
            why='All models alike.',
            source='https://docs.mistral.ai/api/#tag/chat',
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
