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
