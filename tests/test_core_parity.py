"""The three passes that core has too give core's own bytes."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import messages as core_messages
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from pydantic_ai_history_repair import CORE_RULES, repair_history
from pydantic_ai_history_repair._compat import CORE_REPAIRS, INTERRUPTED_OUTCOME, is_tool_result
from pydantic_ai_history_repair._history import SYNTHESIZED_KEY, is_synthesized
from pydantic_ai_history_repair.rules.dangling_tool_call import INTERRUPTED_CONTENT

from .agents import calls, returns, shape
from .strategies import histories

# The newest detail of core's merge, in 2.6x: what stands between results moves behind them.
LIKE_NEWEST = hasattr(core_messages, '_move_parts_from_between_tool_results')

repair_messages: Callable[..., list[ModelMessage]] | None = getattr(core_messages, 'repair_messages', None)


def core_pipeline() -> Callable[..., list[ModelMessage]]:
    """Core's own pipeline: public from 2.53, private from 2.10."""
    if repair_messages is not None:
        return repair_messages
    if not CORE_REPAIRS:
        pytest.skip('core repairs nothing before 2.10')
    graph: Any = importlib.import_module('pydantic_ai._agent_graph')
    return graph._clean_message_history


def dump(messages: Sequence[ModelMessage]) -> bytes:
    return ModelMessagesTypeAdapter.dump_json(list(messages))


@given(histories, st.booleans())
def test_core_rules_give_cores_bytes(history: list[ModelMessage], close: bool):
    """On the newest core every byte is the same; on older ones from 2.10 the pairing is, and merges differ in detail."""
    expected = core_pipeline()(history, repair_last_response=close)
    repaired = repair_history(history, rules=CORE_RULES, repair_last_response=close).messages
    if LIKE_NEWEST:
        assert dump(repaired) == dump(expected)
    elif not any(repeats_an_id(message) for message in history):
        assert results(repaired) == results(expected)
        assert kinds(repaired) == kinds(expected)


def repeats_an_id(message: ModelMessage) -> bool:
    """Older cores bind a repeated id in another order, so that another of its calls may be left dangling."""
    ids = [part.tool_call_id for part in message.parts if isinstance(part, ToolCallPart)]
    return len(set(ids)) < len(ids)


def results(messages: Sequence[ModelMessage]) -> list[list[tuple[str, bool]]]:
    """Which results answer in which message."""
    return [
        sorted((part.tool_call_id, is_synthesized(part)) for part in message.parts if is_tool_result(part))
        for message in messages
    ]


def kinds(messages: Sequence[ModelMessage]) -> list[Any]:
    """What a message is, with its parts in no particular order: older cores do not gather results, nor keep metadata."""
    return [(message.kind, sorted(part.part_kind for part in message.parts)) for message in messages]


def test_what_older_cores_do_differently():
    """The known differences of older cores: each is the newest core's way, or one of the ways of the past."""
    core = core_pipeline()

    def both(history: list[ModelMessage]) -> tuple[ModelMessage, ModelMessage]:
        ours = repair_history(history, rules=CORE_RULES).messages
        return ours[-1], core(history, repair_last_response=True)[-1]

    def result(id: str) -> ToolReturnPart:
        return ToolReturnPart('act', 'acted', tool_call_id=id)

    # The framework's own metadata was dropped by a merge.
    first, second = ModelRequest(parts=[], metadata={'__pydantic_ai__': {'x': 1}}), ModelRequest(parts=[])
    ours, theirs = both([first, second])
    assert ours.metadata == {'__pydantic_ai__': {'x': 1}}
    assert theirs.metadata in (None, ours.metadata)

    # What stands between the results of one request stayed there.
    between = ModelRequest(parts=[result('a'), UserPromptPart('hold on'), result('b')])
    ours, theirs = both([calls('a', 'b'), between])
    assert shape([ours]) == ['request: return a, return b, user hold on']
    assert shape([theirs]) in (shape([between]), shape([ours]))

    # Of two calls with one id in one response, the later one was answered.
    twice = ModelResponse(parts=[ToolCallPart('first', {}, 'a'), ToolCallPart('second', {}, 'a')])
    ours, theirs = both([twice, returns('a')])
    names = [[getattr(part, 'tool_name', None) for part in message.parts] for message in (ours, theirs)]
    assert names[0] == ['act', 'second']
    assert names[1] in (['act', 'first'], names[0])


def test_text_marker_and_outcome_are_cores():
    """The synthesized return is core's, down to the timestamp."""
    response = calls('a')
    [_, request] = repair_history([response]).messages
    assert request.parts == [
        ToolReturnPart(
            'act',
            INTERRUPTED_CONTENT,
            tool_call_id='a',
            metadata={SYNTHESIZED_KEY: True},
            timestamp=response.timestamp,
            outcome=INTERRUPTED_OUTCOME,
        )
    ]
    assert (INTERRUPTED_OUTCOME == 'interrupted') is CORE_REPAIRS
    if CORE_REPAIRS:
        assert dump([request]) == dump([core_pipeline()([response], repair_last_response=True)[1]])
