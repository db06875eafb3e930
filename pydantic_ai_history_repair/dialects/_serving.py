"""Which dialect a model speaks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ._base import DIALECTS, Dialect

_BY_CLASS: Mapping[str, str] = MappingProxyType(
    {
        'AnthropicModel': 'anthropic',
        'BedrockConverseModel': 'bedrock',
        'CerebrasModel': 'openai-chat',
        'GeminiModel': 'google',
        'GoogleModel': 'google',
        'GroqModel': 'openai-chat',
        'HuggingFaceModel': 'openai-chat',
        'MistralModel': 'mistral',
        'OpenAIChatModel': 'openai-chat',
        'OpenAIModel': 'openai-chat',
        'OpenAIResponsesModel': 'openai-responses',
        'OpenRouterModel': 'openai-chat',
    }
)
"""Adapter classes by name: importing one would need its provider's SDK."""


def dialect_for(model: object) -> Dialect:
    """The dialect that a Pydantic AI model speaks.

    Wrappers are looked through. A model that is not known, or that hands on to several others as `FallbackModel`
    does, is taken as `'portable'`: what every API accepts. Never raises.

    ```python
    from pydantic_ai.models.test import TestModel

    from pydantic_ai_history_repair import dialect_for

    print(dialect_for(TestModel()).name)
    #> portable
    ```

    Args:
        model: A Pydantic AI `Model`.
    """
    wrapped: Any = getattr(model, 'wrapped', None)
    if wrapped is not None:
        return dialect_for(wrapped)
    names = (_BY_CLASS.get(base.__name__) for base in type(model).__mro__)
    return DIALECTS[next((name for name in names if name), 'portable')]
