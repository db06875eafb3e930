"""The promises of the package, over every rule and over generated histories."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic_ai import Agent, RunContext
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from pydantic_ai_history_repair import CORE_RULES, RULES, RepairHistory, check_history, repair_history
from pydantic_ai_history_repair._compat import is_tool_result, retry_text
from pydantic_ai_history_repair._history import is_synthesized
from pydantic_ai_history_repair.dialects import DIALECTS
from pydantic_ai_history_repair.rules import Rule

from .agents import ScriptedModel
from .strategies import histories, sound_histories

# The suite's most numerous examples go to the comparison with core; a fifth of them is enough for each promise.
fifth = settings(max_examples=settings().max_examples // 5)

every_dialect = st.sampled_from([None, *DIALECTS])

every_rule = st.one_of(
    st.just(RULES),
    st.sampled_from([(rule,) for rule in RULES]),
    st.lists(st.sampled_from(RULES), unique_by=lambda rule: rule.code).map(
        lambda chosen: tuple(rule for rule in RULES if rule in chosen)
    ),
)


def dump(messages: Sequence[ModelMessage]) -> bytes:
    return ModelMessagesTypeAdapter.dump_json(list(messages))


def texts(messages: Sequence[ModelMessage]) -> Counter[str]:
    """Everything that users and models wrote."""
    kinds = (UserPromptPart, TextPart, ThinkingPart)
    return Counter(str(part.content) for message in messages for part in message.parts if isinstance(part, kinds))


def calls(messages: Sequence[ModelMessage]) -> list[ToolCallPart]:
    return [part for message in messages for part in message.parts if isinstance(part, ToolCallPart)]


def answers(messages: Sequence[ModelMessage]) -> list[ToolReturnPart]:
    """The results that answer a call, and that a tool really gave."""
    found: list[ToolReturnPart] = []
    open_calls: Counter[str] = Counter()
    for message in messages:
        made = Counter(part.tool_call_id for part in message.parts if isinstance(part, ToolCallPart))
        open_calls.update({id: number - open_calls[id] for id, number in made.items()})  # the later response shadows
        for part in message.parts:
            if is_tool_result(part) and open_calls[part.tool_call_id]:
                open_calls[part.tool_call_id] -= 1
                if not is_synthesized(part):
                    found.append(part)
    return found


@fifth
@given(histories, every_rule, st.booleans())
def test_nothing_that_was_said_is_lost(history: list[ModelMessage], rules: Sequence[Rule], close: bool):
    """Texts stay, as often as they were; calls stay, in their order; what a tool answered stays in an answer."""
    repaired = repair_history(history, rules=rules, repair_last_response=close).messages
    assert texts(repaired) == texts(history)
    assert [(call.tool_name, call.args) for call in calls(repaired)] == [
        (call.tool_name, call.args) for call in calls(history)
    ]
    kept = [part for message in repaired for part in message.parts if is_tool_result(part)]
    for answer in answers(history):
        same_id = [part for part in kept if part.tool_call_id.startswith(answer.tool_call_id or 'call_')]
        assert any(said(answer) <= said(part) for part in same_id)


@fifth
@given(histories, every_dialect, st.booleans())
def test_nothing_that_can_be_sent_is_lost(history: list[ModelMessage], dialect: str | None, close: bool):
    """For every dialect, each visible text goes out, each call with its arguments, and what a tool answered."""
    repaired = repair_history(history, dialect=dialect, repair_last_response=close).messages
    lost = texts(history) - texts(repaired)
    assert not any(text.strip() for text in lost)
    assert [call.args for call in calls(repaired)] == [call.args for call in calls(history)]
    kept = [part for message in repaired for part in message.parts if is_tool_result(part)]
    for answer in answers(history):
        assert any(visible(answer) <= said(part) for part in kept)


def visible(result: ToolReturnPart) -> set[str]:
    return {line for line in said(result) if line.strip()}


def said(result: ToolReturnPart) -> set[str]:
    """What a result tells the model, line by line."""
    content: Any = result.content if retry_text(result) is None else retry_text(result)
    return {line for item in listed(content) for line in str(item).split('\n')}


def listed(content: Any) -> list[Any]:
    return [*content] if isinstance(content, list) else [content]


@fifth
@given(histories, every_rule, every_dialect, st.booleans())
def test_repairing_twice_equals_repairing_once(
    history: list[ModelMessage], rules: Sequence[Rule], dialect: str | None, close: bool
):
    """A repaired history comes back as the very list, and only what remained is found in it."""
    once = repair_history(history, dialect=dialect, rules=rules, repair_last_response=close)
    twice = repair_history(once.messages, dialect=dialect, rules=rules, repair_last_response=close)
    assert twice.messages is once.messages
    assert twice.repairs == ()
    again = check_history(once.messages, dialect=dialect, rules=rules, repair_last_response=close)
    assert again == list(twice.remaining) == list(once.remaining)


@fifth
@given(histories, every_rule, st.booleans())
def test_input_is_left_alone(history: list[ModelMessage], rules: Sequence[Rule], close: bool):
    """Neither the list nor a message in it changes, and what needs no repair is the same object."""
    members, before = list(history), dump(history)
    report = repair_history(history, rules=rules, repair_last_response=close)
    assert all(now is then for now, then in zip(history, members, strict=True))
    assert dump(history) == before
    assert report.changed is (report.messages is not history)
    if report.changed:
        first = report.first_changed_message
        assert first is not None
        assert all(now is then for now, then in zip(report.messages[:first], history, strict=False))
        assert not any(now is then for now, then in zip(report.messages[first:], history[first:][:1], strict=False))
    else:
        assert report.first_changed_message is None


@fifth
@given(histories, every_rule, every_dialect, st.booleans())
def test_check_and_repair_agree(history: list[ModelMessage], rules: Sequence[Rule], dialect: str | None, close: bool):
    """Every repair names a finding of the check, at a place of the history that was passed in, and none is left out."""
    report = repair_history(history, dialect=dialect, rules=rules, repair_last_response=close)
    found = check_history(history, dialect=dialect, rules=rules, repair_last_response=close)
    assert [repair.finding for repair in report.repairs] == [finding for finding in found if finding.fixable]
    left = Counter(finding.code for finding in report.remaining)
    assert left == Counter(finding.code for finding in found if not finding.fixable)
    for finding in found:
        message = history[finding.location.message]
        assert finding.location.part is None or finding.location.part < len(message.parts)
        if finding.tool_call_id is not None and finding.location.part is not None:
            assert hasattr(message.parts[finding.location.part], 'tool_call_id')


@fifth
@given(sound_histories)
def test_sound_history_is_the_same_list(history: list[ModelMessage]):
    """A history that no provider objects to comes back as the list that was passed in."""
    assert check_history(history, dialect=None) == []
    assert repair_history(history).messages is history


@fifth
@given(histories)
def test_live_frontier_is_left_open(history: list[ModelMessage]):
    """With `repair_last_response=False` no call of the last response is closed."""
    responses = [message for message in history if isinstance(message, ModelResponse)]
    repaired = repair_history(history, repair_last_response=False).messages
    last = max((index for index, message in enumerate(repaired) if isinstance(message, ModelResponse)), default=None)
    if last is not None and responses[-1] is repaired[last]:
        closed = [part for message in repaired[last:] for part in message.parts if is_tool_result(part)]
        given = [part for message in history for part in message.parts if is_tool_result(part)]
        assert all(any(part is old for old in given) or not is_synthesized(part) for part in closed)


@fifth
@given(histories, st.booleans())
def test_repaired_history_survives_the_store(history: list[ModelMessage], close: bool):
    """What was repaired loads again from JSON, and needs no repair then."""
    repaired = repair_history(history, repair_last_response=close).messages
    loaded = ModelMessagesTypeAdapter.validate_json(dump(repaired))
    assert repair_history(loaded, repair_last_response=close).messages is loaded


@dataclass
class PartOfTheFuture:
    """A part type that a later core adds."""

    content: str = 'new'
    part_kind: str = 'part-of-the-future'


@fifth
@given(histories, st.integers(0, 7), st.integers(0, 3))
def test_unknown_parts_pass_through(history: list[ModelMessage], message_index: int, part_index: int):
    """A part of a type that this package does not know stays, as the same object."""
    unknown: Any = PartOfTheFuture()
    broken = [*history, ModelRequest(parts=[]), ModelResponse(parts=[])]
    target = broken[message_index % len(broken)]
    parts: Any = [*target.parts]
    parts.insert(part_index, unknown)
    broken[message_index % len(broken)] = (
        ModelRequest(parts=parts) if isinstance(target, ModelRequest) else ModelResponse(parts=parts)
    )
    repaired = repair_history(broken).messages
    assert sum(part is unknown for message in repaired for part in message.parts) == 1


@pytest.mark.anyio
@settings(fifth, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    history=histories,
    prompt=st.sampled_from([None, 'go on']),
    options=st.sampled_from([{}, {'unanswered_calls': 'close'}]),
    approved=st.none() | st.sets(st.sampled_from('abcd'), min_size=1),
)
async def test_repair_never_makes_a_call_executable(
    history: list[ModelMessage], prompt: str | None, options: dict[str, Any], approved: set[str] | None
):
    """Whatever a client sends as history, with approvals or without, what runs with the capability runs without it."""
    executed: list[list[str]] = []
    for capabilities in ([], [RepairHistory(**options)]):
        ran: list[str] = []
        agent: Agent[Any, Any] = Agent(
            ScriptedModel().model(), output_type=[str, DeferredToolRequests], capabilities=capabilities
        )

        @agent.tool(requires_approval=approved is not None)
        def get_weather(ctx: RunContext[Any], ran: list[str] = ran) -> str:
            ran.append(f'get_weather {ctx.tool_call_id}')
            return 'Sunny.'

        @agent.tool
        def search(ctx: RunContext[Any], ran: list[str] = ran) -> str:
            ran.append(f'search {ctx.tool_call_id}')
            return 'Found.'

        results = DeferredToolResults(approvals=dict.fromkeys(sorted(approved), True)) if approved else None
        with contextlib.suppress(Exception):
            await agent.run(prompt, message_history=history, deferred_tool_results=results)
        executed.append(ran)
    without, with_capability = map(Counter, executed)
    assert with_capability <= without


def test_approval_that_core_refuses_is_refused_with_the_capability():
    """A displaced result after the last response still tells core that the approvals do not fit."""

    def deleting_agent(capabilities: list[Any]) -> Agent[Any, Any]:
        agent: Agent[Any, Any] = Agent(
            ScriptedModel().model(), output_type=[str, DeferredToolRequests], capabilities=capabilities
        )

        @agent.tool_plain(requires_approval=True)
        def delete() -> str:
            raise AssertionError('must not be called')

        return agent

    history = [
        ModelRequest(parts=[UserPromptPart('one')]),
        ModelResponse(parts=[ToolCallPart('other', {}, tool_call_id='a')]),
        ModelRequest(parts=[UserPromptPart('two')]),
        ModelResponse(parts=[ToolCallPart('delete', {}, tool_call_id='c')]),
        ModelRequest(parts=[ToolReturnPart('other', 'late', tool_call_id='a')]),
    ]
    for capabilities in ([], [RepairHistory()]):
        with pytest.raises(UserError, match='Tool call results need to be provided for all deferred tool calls'):
            asyncio.run(
                deleting_agent(capabilities).run(
                    message_history=history, deferred_tool_results=DeferredToolResults(approvals={'c': True})
                )
            )


def test_same_bytes_in_every_process():
    """Hash seeds differ between processes; repaired bytes do not."""
    program = (
        'import hashlib, sys\n'
        'from datetime import datetime, timezone\n'
        'from pydantic_ai.messages import *\n'
        'from pydantic_ai_history_repair import repair_history\n'
        'then = datetime(2026, 1, 1, tzinfo=timezone.utc)\n'
        "ids = [f'call_{i}' for i in range(40)]\n"
        "calls = ModelResponse(parts=[ToolCallPart('act', {}, id) for id in ids], timestamp=then)\n"
        "late = ModelRequest(parts=[ToolReturnPart('act', 'x', tool_call_id=id, timestamp=then) for id in ids[:9]])\n"
        'text = ModelResponse(parts=[TextPart("y")], timestamp=then)\n'
        'report = repair_history([calls, ModelRequest(parts=[]), text, late, text])\n'
        'print(len(report.repairs), hashlib.sha256(ModelMessagesTypeAdapter.dump_json(report.messages)).hexdigest())\n'
    )
    outputs = {
        subprocess.run(
            [sys.executable, '-c', program],
            env={**os.environ, 'PYTHONHASHSEED': seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ('0', '1', '2')
    }
    [output] = outputs
    assert output.startswith('41 ')


def test_core_rules_are_the_first_three_passes():
    """`CORE_RULES` are the passes that core has, in its order."""
    assert [rule.code for rule in CORE_RULES] == ['HR102', 'HR101', 'HR201']
