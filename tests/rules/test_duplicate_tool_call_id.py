"""HR105: duplicate tool call ids."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai import messages as m
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart

from pydantic_ai_history_repair import check_history, repair_history

from ..agents import calls, says, user


def returned(*contents: str, id: str = 'a') -> ModelRequest:
    return ModelRequest(parts=[ToolReturnPart('act', content, id) for content in contents])


def made(*tools: str, id: str = 'a', **options: Any) -> ModelResponse:
    return ModelResponse(parts=[ToolCallPart(tool, {}, id) for tool in tools], **options)


def pairs(history: list[ModelMessage]) -> list[tuple[str, str]]:
    """Which tool is answered by what, by the ids."""
    parts = [part for message in history for part in message.parts]
    contents = {part.tool_call_id: str(part.content) for part in parts if isinstance(part, ToolReturnPart)}
    called = [part for part in parts if isinstance(part, ToolCallPart)]
    assert len({call.tool_call_id for call in called}) == len(called)
    return [(call.tool_name, contents[call.tool_call_id]) for call in called]


def test_each_result_stays_with_its_call():
    """Three calls of one response with one id: the first result answers the first call, and so on."""
    history = [user('go'), made('one', 'two', 'three'), returned('1', '2', '3'), says()]
    report = repair_history(history)
    assert [(repair.code, repair.location, repair.action) for repair in report.repairs] == [
        ('HR105', (1, 1), 'renamed'),
        ('HR105', (1, 2), 'renamed'),
    ]
    assert pairs(report.messages) == [('one', '1'), ('two', '2'), ('three', '3')]
    assert repair_history(report.messages).messages is report.messages


def test_responses_in_a_row_are_answered_in_order():
    """Two responses in a row with one id, answered together: the results do not change hands."""
    history = [user('go'), made('one', model_name='m'), made('two', model_name='m'), returned('1', '2'), says()]
    assert pairs(repair_history(history).messages) == [('one', '1'), ('two', '2')]


def test_a_result_too_many_goes_with_the_last_call():
    """What repeats the last answer of such a turn is joined to that answer."""
    history = [user('go'), made('one', model_name='m'), made('two', model_name='m'), returned('1', '2', '3'), says()]
    answers = [call for call, _ in pairs(repair_history([*history]).messages)]
    assert answers == ['one', 'two']
    joined = [str(getattr(part, 'content', '')) for part in repair_history(history).messages[3].parts]
    assert '3' in '\n'.join(joined)


def test_ids_of_another_turn_are_left_alone():
    """An id that starts again in each turn is valid for most providers, and never renamed in stored history."""
    history = [user('go'), calls('a'), returned('1'), says(), user('again'), calls('a'), returned('2'), says()]
    assert repair_history(history).messages is history
    assert repair_history(history, dialect='anthropic').messages is history


@pytest.mark.parametrize('dialect', ['openai-responses', 'minimax', 'portable'])
def test_ids_are_distinct_in_the_whole_request(dialect: str):
    """Where a provider wants it, the later call gets an id of its own, the same one when the history has grown."""
    history = [user('go'), made('one'), returned('1'), says(), user('again'), made('two'), returned('2'), says()]
    repaired = repair_history(history, dialect=dialect).messages
    assert pairs(repaired) == [('one', '1'), ('two', '2')]
    longer = [*history, user('and again'), made('three'), returned('3')]
    grown = repair_history(longer, dialect=dialect).messages
    assert [part.tool_call_id for part in grown[5].parts if isinstance(part, ToolCallPart)] == [
        part.tool_call_id for part in repaired[5].parts if isinstance(part, ToolCallPart)
    ]


def test_an_id_that_is_taken_is_not_given_again():
    """Renaming twice in a row gives two ids, whatever is there already."""
    first = repair_history([made('one', 'two'), returned('1', '2')]).messages
    taken = [part.tool_call_id for part in first[0].parts if isinstance(part, ToolCallPart)][1]
    history = [made('zero', id=taken), returned('0', id=taken), made('one', 'two'), returned('1', '2')]
    assert pairs(repair_history(history).messages) == [('zero', '0'), ('one', '1'), ('two', '2')]


def test_calls_that_wait_keep_their_ids():
    """Calls that may still be answered are reported: deferred results find them by the ids they have."""
    history = [user('go'), made('delete', 'read')]
    report = repair_history(history, repair_last_response=False)
    assert report.messages is history
    assert [(finding.code, finding.fixable) for finding in report.remaining] == [('HR105', False)]
    assert check_history(history, dialect=None, repair_last_response=False) == list(report.remaining)


def test_an_item_id_behind_a_call_id_goes():
    """OpenAI's adapter cuts an id at `|`: the new one is distinct without what follows."""
    history = [
        made('one', id='c|fc_1'),
        returned('1', id='c|fc_1'),
        made('two', id='c|fc_1'),
        returned('2', id='c|fc_1'),
    ]
    repaired = repair_history(history, dialect='openai-responses').messages
    ids = [part.tool_call_id for message in repaired for part in message.parts if isinstance(part, ToolCallPart)]
    assert ids[0] == 'c|fc_1'
    assert ids[1].startswith('c_')
    assert '|' not in ids[1]


@pytest.mark.skipif(not hasattr(m, 'ToolAvailabilityDeltaPart'), reason='this core has no deltas')
def test_what_speaks_of_the_call_goes_along():
    """A tool availability delta next to the result names the call that revealed the tools."""
    fields = m.ToolAvailabilityDeltaPart.__dataclass_fields__
    names: dict[str, Any] = {'tools_added' if 'tools_added' in fields else 'added': ['search'], 'tool_call_id': 'a'}
    request = returned('1', '2')
    history = [made('one', 'two'), ModelRequest(parts=[*request.parts, m.ToolAvailabilityDeltaPart(**names)])]
    for message in (
        repair_history(history).messages[1],
        repair_history([*history, says()], dialect='portable').messages[1],
    ):
        delta = message.parts[-1]
        assert getattr(delta, 'tool_call_id') == getattr(message.parts[1], 'tool_call_id') != 'a'  # noqa: B009
