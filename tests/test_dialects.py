"""Which dialect a model speaks."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.models.wrapper import WrapperModel

from pydantic_ai_history_repair import Dialect, dialect_for
from pydantic_ai_history_repair.dialects import DIALECTS, resolve_dialect


@pytest.mark.parametrize(
    ('adapter', 'dialect'),
    [
        ('AnthropicModel', 'anthropic'),
        ('BedrockConverseModel', 'bedrock'),
        ('GoogleModel', 'google'),
        ('GroqModel', 'groq'),
        ('MistralModel', 'mistral'),
        ('OpenAIChatModel', 'openai-chat'),
        ('OpenAIResponsesModel', 'openai-responses'),
        ('OpenRouterModel', 'openai-chat'),
        ('SomebodysModel', 'unknown'),
    ],
)
def test_by_class(adapter: str, dialect: str):
    """An adapter is known by its class, and so is a subclass of it."""
    known = type(adapter, (TestModel,), {})
    assert dialect_for(known()).name == dialect
    assert dialect_for(type('Own', (known,), {})()).name == dialect


def test_wrappers_are_looked_through():
    """What wraps a model speaks its dialect."""
    model: Any = type('AnthropicModel', (TestModel,), {})()
    assert dialect_for(WrapperModel(WrapperModel(model))).name == 'anthropic'


def test_fallback_is_held_to_all():
    """A chain of models is held to what each of them accepts; nothing is known of some."""
    first: Any = type('AnthropicModel', (TestModel,), {})()
    second: Any = type('MistralModel', (TestModel,), {})()
    assert dialect_for(FallbackModel(first, second)).name == 'anthropic+mistral'
    assert dialect_for(FallbackModel(first, first)).name == 'anthropic'
    assert dialect_for(FallbackModel(TestModel(), TestModel())).name == 'unknown'


@pytest.mark.parametrize('model', [None, 'anthropic:claude-sonnet-5', object()])
def test_anything_else_is_unknown(model: Any):
    """What is no model at all is never an error."""
    assert dialect_for(model).name == 'unknown'


def test_a_dialect_resolves_to_itself():
    """Names and dialects are both accepted where a dialect is asked for."""
    assert resolve_dialect('google') is resolve_dialect(DIALECTS['google']) is DIALECTS['google']
    assert resolve_dialect(None) is None
    own = Dialect(name='own', title='Own', api='own', source=None)
    assert resolve_dialect(own) is own
