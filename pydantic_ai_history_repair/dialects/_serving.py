"""Which dialect a model speaks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, cast

from ._base import Dialect
from ._combined import strictest
from ._known import DIALECTS

_BY_CLASS: Final[Mapping[str, str]] = MappingProxyType(
    {
        'AnthropicModel': 'anthropic',
        'BedrockConverseModel': 'bedrock',
        'CerebrasModel': 'openai-chat',
        'GeminiModel': 'google',
        'GoogleModel': 'google',
        'GroqModel': 'groq',
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

    Goes by the model's class, then by its provider and its name: where one API serves several families, each has a
    dialect of its own. Wrappers are looked through. What hands on to several models, as `FallbackModel` does, speaks the
    strictest combination of theirs. A model that is not known gets `'unknown'`: the provider-neutral rules, and none
    that may be wrong for it. Never raises.

    ```python
    from pydantic_ai.models.test import TestModel

    from pydantic_ai_history_repair import dialect_for

    print(dialect_for(TestModel()).name)
    #> unknown
    ```

    Args:
        model: A Pydantic AI `Model`.
    """
    wrapped: Any = getattr(model, 'wrapped', None)
    if wrapped is not None:
        return dialect_for(wrapped)
    candidates: Any = getattr(model, 'models', None)
    if isinstance(candidates, list | tuple) and candidates:
        return strictest([dialect_for(candidate) for candidate in cast(Sequence[object], candidates)])
    name = next((_BY_CLASS[base.__name__] for base in type(model).__mro__ if base.__name__ in _BY_CLASS), 'unknown')
    return _family(name, f'{_text(model, "system")}:{_text(model, "model_name")}'.lower())


@lru_cache
def _family(name: str, model: str) -> Dialect:
    dialect = DIALECTS[name]
    families = (known for known in DIALECTS.values() if known.api == dialect.api and known.models)
    return next((family for family in families if re.search(family.models, model)), dialect)


def _text(model: object, attribute: str) -> str:
    try:
        return str(getattr(model, attribute))
    except Exception:  # a property of somebody's model
        return ''
