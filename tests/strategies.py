"""Histories for property tests: valid ones, and ones broken in every way that the types allow."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from pydantic_ai import messages as m
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    NativeToolCallPart,
    NativeToolReturnPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

START = datetime(2026, 1, 1, tzinfo=UTC)

ids = st.sampled_from(['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd', '', 'functions.x:0', 'x' * 70])
tools = st.sampled_from(['get_weather', 'search', 'get_weather', 'search', 'search.evidence', ''])
texts = st.sampled_from(['', '\n', 'hello', 'Sunny.', '{"x": 1}'])
item_ids = st.sampled_from([None, None, 'msg_1', 'rs_1', 'fc_1', 'reasoning_content', ''])
providers = st.sampled_from([None, None, 'provider', 'anthropic', 'openai', 'google-gla'])
moments = st.integers(0, 5).map(lambda minutes: START + timedelta(minutes=minutes))
contents: st.SearchStrategy[Any] = st.one_of(texts, st.sampled_from([None, 1, [1, 2], {'x': 1}]))
retry_contents: st.SearchStrategy[Any] = st.one_of(
    texts, st.just([{'type': 'missing', 'loc': ('x',), 'msg': 'Field required', 'input': {}}])
)


@st.composite
def retries(draw: st.DrawFn) -> Any:
    """A retry prompt in the form that every core can load, bound to a tool or not."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # deprecated in newer cores, but stored histories hold it
        return m.RetryPromptPart(  # pyright: ignore[reportDeprecated]
            content=draw(retry_contents),
            tool_name=draw(st.none() | tools),
            tool_call_id=draw(ids),
            timestamp=draw(moments),
        )


returns = st.builds(
    ToolReturnPart,
    tool_name=tools,
    content=contents,
    tool_call_id=ids,
    timestamp=moments,
    outcome=st.sampled_from(['success', 'failed', 'denied']),
    metadata=st.sampled_from([None, None, {'k': 1}, {'pydantic_ai_synthesized_tool_return': True}]),
)
user_prompts = st.builds(UserPromptPart, content=texts, timestamp=moments)
system_prompts = st.builds(SystemPromptPart, content=texts, timestamp=moments)
request_parts: list[st.SearchStrategy[Any]] = [returns, returns, returns, retries(), user_prompts, system_prompts]
if hasattr(m, 'RetryFeedbackPart'):
    retry = m.RetryInfo('validation_error')
    request_parts.append(st.builds(m.RetryFeedbackPart, content=texts, retry=st.just(retry), timestamp=moments))
if hasattr(m, 'ToolAvailabilityDeltaPart'):
    # The field was called `added` in 2.23 alone.
    names = 'tools_added' if 'tools_added' in m.ToolAvailabilityDeltaPart.__dataclass_fields__ else 'added'
    delta: Any = {names: st.just(['search']), 'tool_call_id': ids}
    request_parts.append(st.builds(m.ToolAvailabilityDeltaPart, **delta))

calls = st.builds(
    ToolCallPart,
    tool_name=tools,
    args=st.sampled_from([None, {}, {'city': 'Paris'}, '{"city": "Par']),
    tool_call_id=ids,
    id=item_ids,
)
response_parts: list[st.SearchStrategy[Any]] = [
    calls,
    calls,
    st.builds(TextPart, content=texts, id=item_ids),
    st.builds(
        ThinkingPart,
        content=texts,
        id=item_ids,
        signature=st.sampled_from([None, '', 'sig', 'c2ln']),
        provider_name=providers,
    ),
    st.builds(NativeToolCallPart, tool_name=tools, args=st.just({}), tool_call_id=ids, provider_name=providers),
    st.builds(
        NativeToolReturnPart,
        tool_name=tools,
        content=texts,
        tool_call_id=ids,
        timestamp=moments,
        provider_name=providers,
    ),
]

metadata = st.sampled_from(
    [
        None,
        None,
        {'app': 1},
        {'__pydantic_ai__': {'x': 1}},
        {'__pydantic_ai__': {'y': 2}, 'app': 2},
        {'__pydantic_ai__': 3},
    ]
)
requests = st.builds(
    ModelRequest,
    parts=st.lists(st.one_of(request_parts), max_size=4),
    instructions=st.sampled_from([None, None, '', 'Be brief.', 'Be kind.']),
    timestamp=st.none() | moments,
    run_id=st.sampled_from([None, 'run']),
    metadata=metadata,
)
responses = st.builds(
    ModelResponse,
    parts=st.lists(st.one_of(response_parts), max_size=4),
    timestamp=moments,
    model_name=st.sampled_from([None, None, 'model']),
    provider_name=providers,
    state=st.sampled_from(['complete', 'interrupted']),
    metadata=st.sampled_from([None, {'app': 1}]),
)

histories: st.SearchStrategy[list[ModelMessage]] = st.lists(st.one_of(requests, responses), max_size=8)
"""Anything the types allow, most of it broken."""


@st.composite
def sound_turn(draw: st.DrawFn, number: int) -> list[ModelMessage]:
    """A turn as an agent makes it: a prompt, calls that are all answered, some of them at once, and a text."""
    turn: list[ModelMessage] = [ModelRequest(parts=[draw(user_prompts)], timestamp=draw(moments))]
    # Some providers start again at the same ids in every turn.
    prefix = draw(st.sampled_from(['call', f'turn{number}']))
    for step in range(draw(st.integers(0, 3))):
        made = [
            ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id=f'{prefix}_{step}_{index}')
            for index in range(draw(st.integers(1, 3)))
        ]
        leading = [TextPart('Let me look.')] if draw(st.booleans()) else []
        turn.append(ModelResponse(parts=[*leading, *made], timestamp=draw(moments), model_name='model'))
        answers: list[Any] = [
            ToolReturnPart(call.tool_name, draw(contents), tool_call_id=call.tool_call_id, timestamp=draw(moments))
            for call in draw(st.permutations(made))
        ]
        trailing = [draw(user_prompts)] if draw(st.booleans()) else []
        turn.append(ModelRequest(parts=[*answers, *trailing], timestamp=draw(moments)))
    turn.append(ModelResponse(parts=[TextPart('Done.')], timestamp=draw(moments), model_name='model'))
    return turn


sound_histories: st.SearchStrategy[list[ModelMessage]] = (
    st.integers(0, 4)
    .flatmap(lambda turns: st.tuples(*(sound_turn(number) for number in range(turns))))
    .map(lambda turns: [message for turn in turns for message in turn])
)
"""What agents store when nothing goes wrong."""
