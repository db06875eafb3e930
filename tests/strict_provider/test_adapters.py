"""Every adapter of Pydantic AI talks to the server through its own SDK."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import pytest
from pydantic_ai import Agent, ModelHTTPError, ModelResponse, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.models.groq import GroqModel
from pydantic_ai.providers.groq import GroqProvider

from pydantic_ai_history_repair._cli._adapters import adapter as adapter_for
from pydantic_ai_history_repair.strict_provider import (
    ApiName,
    Text,
    Thinking,
    ToolCall,
    WireViolation,
    strict_provider,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_ai.models import Model


class Adapter(NamedTuple):
    api: ApiName
    model: Callable[[str], Model[Any]]


def groq(url: str) -> Model[Any]:
    return GroqModel('llama-3.3-70b-versatile', provider=GroqProvider(base_url=url, api_key='none'))


ADAPTERS = {
    **{api: Adapter(api, partial(adapter_for, api)) for api in get_args(ApiName)},
    'groq': Adapter('openai-chat', groq),
}

pytestmark = pytest.mark.anyio


@pytest.fixture(params=list(ADAPTERS))
def adapter(request: pytest.FixtureRequest) -> Adapter:
    return ADAPTERS[request.param]


@pytest.fixture(params=[False, True], ids=['run', 'stream'])
def streamed(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.fixture
def anyio_backend() -> str:
    return 'asyncio'


async def talk(agent: Agent, streamed: bool) -> tuple[str, list[Any]]:
    """Asks once, the way under test; the answer and the messages of the run."""
    # Without `max_tokens` the Anthropic adapter streams in `run` too.
    async with agent:  # closes the SDK's connections at the end
        if not streamed:
            result = await agent.run('What is 1 + 2?', model_settings={'max_tokens': 4096})
            return result.output, result.all_messages()
        async with agent.run_stream('What is 1 + 2?', model_settings={'max_tokens': 4096}) as stream:
            return await stream.get_output(), stream.all_messages()


def parts(message: Any) -> list[tuple[type, str]]:
    """A response in short: what kind of part holds what."""
    assert isinstance(message, ModelResponse)
    short: list[tuple[type, str]] = []
    for part in message.parts:
        assert isinstance(part, TextPart | ThinkingPart | ToolCallPart)
        short.append((type(part), part.tool_name if isinstance(part, ToolCallPart) else part.content))
    return short


async def test_text(adapter: Adapter, streamed: bool) -> None:
    """Scripted text arrives as the run's output, with usage and the reason why it ends."""
    with strict_provider(adapter.api, script=[Text('Three.')]) as provider:
        output, messages = await talk(Agent(adapter.model(provider.base_url)), streamed)
        assert output == 'Three.'
        assert parts(messages[-1]) == [(TextPart, 'Three.')]
        assert messages[-1].finish_reason == 'stop'
        assert messages[-1].usage.input_tokens > 0
        assert messages[-1].usage.output_tokens > 0
        [request] = provider.requests
        assert (request.api, request.status, request.violations) == (adapter.api, 200, ())


async def test_tool_loop(adapter: Adapter, streamed: bool) -> None:
    """A scripted turn with a thought and two calls makes the agent run both tools and come back with their results."""
    turn = [Thinking('Two sums.'), ToolCall('add', {'a': 1, 'b': 2}), ToolCall('add', {'a': 3, 'b': 4})]
    with strict_provider(adapter.api, script=[turn, Text('Three and seven.')]) as provider:
        agent = Agent(adapter.model(provider.base_url))
        sums: list[int] = []

        @agent.tool_plain
        def add(a: int, b: int) -> int:
            sums.append(a + b)
            return a + b

        output, messages = await talk(agent, streamed)
        assert output == 'Three and seven.'
        assert sorted(sums) == [3, 7]
        assert parts(messages[1]) == [(ThinkingPart, 'Two sums.'), (ToolCallPart, 'add'), (ToolCallPart, 'add')]
        ids = [part.tool_call_id for part in messages[1].parts if isinstance(part, ToolCallPart)]
        assert len(set(ids)) == 2
        assert [request.status for request in provider.requests] == [200, 200]


async def test_text_before_call(adapter: Adapter, streamed: bool) -> None:
    """Text in front of a call is part of the same turn."""
    with strict_provider(adapter.api, script=[[Text('Let me see.'), ToolCall('now')], Text('Noon.')]) as provider:
        agent = Agent(adapter.model(provider.base_url))

        @agent.tool_plain
        def now() -> str:
            return '12:00'

        # `run_stream` takes the first text as the final one.
        _, messages = await talk(agent, streamed)
        assert parts(messages[1]) == [(TextPart, 'Let me see.'), (ToolCallPart, 'now')]


async def test_call_alone(adapter: Adapter, streamed: bool) -> None:
    """A turn may be a call and nothing else; its id is the one that the script gives."""
    with strict_provider(adapter.api, script=[ToolCall('now', id='abcdefgh1'), Text('Noon.')]) as provider:
        agent = Agent(adapter.model(provider.base_url))

        @agent.tool_plain
        def now() -> str:
            return '12:00'

        output, messages = await talk(agent, streamed)
        assert output == 'Noon.'
        assert parts(messages[1]) == [(ToolCallPart, 'now')]
        assert messages[1].parts[0].tool_call_id == 'abcdefgh1'


async def test_violation(adapter: Adapter, streamed: bool) -> None:
    """A broken rule reaches the user as `ModelHTTPError` with the provider's status and text."""

    def rejects(_api: str, _body: object, /, **_options: str | None) -> list[WireViolation]:
        return [WireViolation(code='x', pointer='/m', message='', provider_error='messages.7: out of order')]

    with strict_provider(adapter.api, judge=rejects) as provider:
        with pytest.raises(ModelHTTPError) as caught:
            await talk(Agent(adapter.model(provider.base_url)), streamed)
        assert caught.value.status_code == 400
        assert 'messages.7: out of order' in str(caught.value)
        [request] = provider.requests
        assert request.status == 400
        assert [violation.code for violation in request.violations] == ['x']
