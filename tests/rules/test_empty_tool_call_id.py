"""HR106: tool calls without an id."""

from __future__ import annotations

from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart

from pydantic_ai_history_repair import repair_history

from ..agents import says, user


def test_call_and_result_get_one_id():
    """Each call gets an id, its result the same, matched in order; the ids depend on the history alone."""
    history = [
        user('go'),
        ModelResponse(parts=[ToolCallPart('one', {}, ''), ToolCallPart('two', {}, ''), ToolCallPart('act', {}, 'a')]),
        ModelRequest(
            parts=[ToolReturnPart('one', '1', ''), ToolReturnPart('two', '2', ''), ToolReturnPart('act', '3', 'a')]
        ),
        says(),
    ]
    report = repair_history(history)
    assert [(repair.code, repair.location) for repair in report.repairs] == [('HR106', (1, 0)), ('HR106', (1, 1))]
    called = [part.tool_call_id for part in report.messages[1].parts if isinstance(part, ToolCallPart)]
    answered = [part.tool_call_id for part in report.messages[2].parts if isinstance(part, ToolReturnPart)]
    assert called == answered
    assert '' not in called
    assert len(set(called)) == 3
    assert repair_history(history).messages == report.messages
    assert repair_history(report.messages).messages is report.messages


def test_call_that_waits_keeps_its_empty_id():
    """A call that may still be answered under the empty id is reported; the answered ones get theirs."""
    answered = [
        ModelResponse(parts=[ToolCallPart('one', {}, '')]),
        ModelRequest(parts=[ToolReturnPart('one', '1', '')]),
    ]
    report = repair_history([*answered, ModelResponse(parts=[ToolCallPart('two', {}, '')])], repair_last_response=False)
    assert [repair.location for repair in report.repairs] == [(0, 0)]
    assert [(finding.code, finding.location, finding.fixable) for finding in report.remaining] == [
        ('HR106', (2, 0), False)
    ]
