"""Which dialect a model speaks."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.models.wrapper import WrapperModel

from pydantic_ai_history_repair import Dialect, dialect_for
from pydantic_ai_history_repair.dialects import DIALECTS, NameFormat, resolve_dialect, strictest


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


def test_strictest_of_different_demands():
    """What two dialects demand of one thing is demanded together."""
    one = Dialect(name='one', title='One', api='a', source=None, refused_thinking_id='^rs_')
    two = Dialect(name='two', title='Two', api='b', source=None, refused_thinking_id='^x_')
    both = strictest([one, two, one])
    assert (both.name, both.title, both.api) == ('one+two', 'One + Two', 'a+b')
    assert both.refused_thinking_id == '^rs_|^x_'


def test_strictest_name_is_what_all_take():
    """Formats are narrowed to the characters and the lengths that they share."""
    narrow, wide = NameFormat('a-f_', 20), NameFormat('d-z', 64)
    both = strictest(
        [
            Dialect(name=name, title=name, api='a', source=None, tool_name=shape)
            for name, shape in (('n', narrow), ('w', wide))
        ]
    ).tool_name
    assert both is not None
    assert [both.pattern.fullmatch(name) is not None for name in ('def', 'abc', 'xyz', 'd' * 20, 'd' * 21)] == [
        True,
        False,
        False,
        True,
        False,
    ]


def test_families_by_name():
    """Where an API serves several families, the provider and the name of the model tell which."""

    def named(adapter: str, system: str, name: str) -> str:
        attributes = {'system': property(lambda self: system), 'model_name': property(lambda self: name)}
        return dialect_for(type(adapter, (TestModel,), attributes)()).name

    assert named('BedrockConverseModel', 'bedrock', 'us.amazon.nova-pro-v1:0') == 'bedrock-nova'
    assert named('BedrockConverseModel', 'bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0') == 'bedrock'
    assert named('OpenAIChatModel', 'openai', 'gpt-5-mini') == 'openai-chat'
    assert named('OpenAIChatModel', 'deepseek', 'deepseek-chat') == 'deepseek'
    assert named('OpenAIChatModel', 'openai', 'mistral-small-latest') == 'mistral-compatible'
    assert named('OpenRouterModel', 'openrouter', 'minimax/minimax-m2') == 'minimax'
    assert named('AnthropicModel', 'anthropic', 'MiniMax-M2') == 'minimax-anthropic'
    assert named('GoogleModel', 'google-vertex', 'gemini-2.5-pro') == 'google-vertex'


def test_model_that_cannot_be_asked():
    """A model whose properties raise is known by its class."""

    def broken(self: Any) -> str:
        raise RuntimeError

    assert dialect_for(type('MistralModel', (TestModel,), {'system': property(broken)})()).name == 'mistral'
