"""Histories for property tests: valid ones, and ones broken in every way that the types allow."""

from __future__ import annotations

import warnings
from datetime import datetime, timedelta, timezone
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

START = datetime(2026, 1, 1, tzinfo=timezone.utc)

ids = st.sampled_from(['a', 'b', 'c', 'd'])
tools = st.sampled_from(['get_weather', 'search'])
texts = st.sampled_from(['', 'hello', 'Sunny.', '{"x": 1}'])
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
    request_parts.append(st.builds(m.ToolAvailabilityDeltaPart, tools_added=st.just(['search']), tool_call_id=ids))

calls = st.builds(
    ToolCallPart,
    tool_name=tools,
    args=st.sampled_from([None, {}, {'city': 'Paris'}, '{"city": "Par']),
    tool_call_id=ids,
)
response_parts: list[st.SearchStrategy[Any]] = [
    calls,
    calls,
    st.builds(TextPart, content=texts),
    st.builds(ThinkingPart, content=texts, signature=st.none() | st.just('sig')),
    st.builds(NativeToolCallPart, tool_name=tools, args=st.just({}), tool_call_id=ids),
    st.builds(NativeToolReturnPart, tool_name=tools, content=texts, tool_call_id=ids, timestamp=moments),
]

metadata = st.sampled_from(
    [None, None, {'app': 1}, {'__pydantic_ai__': {'x': 1}}, {'__pydantic_ai__': {'y': 2}, 'app': 2}, {'__pydantic_ai__': 3}]
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
    provider_name=st.sampled_from([None, None, 'provider']),
    state=st.sampled_from(['complete', 'interrupted']),
    metadata=st.sampled_from([None, {'app': 1}]),
)

histories: st.SearchStrategy[list[ModelMessage]] = st.lists(st.one_of(requests, responses), max_size=8)
"""Anything the types allow, most of it broken."""
