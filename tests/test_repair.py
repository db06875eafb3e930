"""`check_history`, `is_provider_valid` and `repair_history`: what they accept, refuse and return."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from pydantic_ai_history_repair import (
    CORE_RULES,
    RULES,
    Finding,
    Location,
    Repair,
    check_history,
    is_provider_valid,
    repair_history,
)
from pydantic_ai_history_repair._edits import Edits
from pydantic_ai_history_repair._history import History
from pydantic_ai_history_repair.rules import Rule

from .agents import calls, returns, says, shape, user

BROKEN = [user('one'), calls('a'), user('two'), says(), returns('gone')]


def test_findings_of_a_check():
    """A check tells what is wrong and where, in order of place, and changes nothing."""
    findings = check_history(BROKEN, dialect=None)
    assert findings == [
        Finding(
            code='HR101',
            name='dangling-tool-call',
            location=Location(1, 0),
            message="Tool call 'a' to 'act' is never answered.",
            tool_call_id='a',
            tool_name='act',
        ),
        Finding(
            code='HR102',
            name='orphaned-tool-result',
            location=Location(4, 0),
            message="Result 'gone' of 'act' has no call before it.",
            tool_call_id='gone',
            tool_name='act',
        ),
    ]
    assert shape(BROKEN)[2] == 'request: user two'


def test_report_of_a_repair():
    """A report holds the new history, the repairs with what was done, the counts, and where the change begins."""
    report = repair_history(BROKEN)
    assert shape(report.messages) == [
        'request: user one',
        'response: call a',
        'request: synthesized a, user two',
        'response: text',
        'request: ',
    ]
    assert [(repair.code, repair.name, repair.location, repair.action) for repair in report.repairs] == [
        ('HR101', 'dangling-tool-call', (1, 0), 'synthesized'),
        ('HR102', 'orphaned-tool-result', (4, 0), 'removed'),
    ]
    assert [(repair.tool_call_id, repair.tool_name) for repair in report.repairs] == [('a', 'act'), ('gone', 'act')]
    assert report.counts == {'HR101': 1, 'HR102': 1}
    assert (report.changed, report.first_changed_message, report.remaining) == (True, 2, ())


def test_report_as_data():
    """The report's JSON shape is versioned, and holds places and ids but no message."""
    assert repair_history(BROKEN[:3]).to_dict() == {
        'version': 1,
        'changed': True,
        'first_changed_message': 2,
        'counts': {'HR101': 1},
        'repairs': [
            {
                'code': 'HR101',
                'name': 'dangling-tool-call',
                'location': '/1/parts/0',
                'tool_call_id': 'a',
                'tool_name': 'act',
                'message': "Tool call 'a' to 'act' is never answered.",
                'fixable': True,
                'action': 'synthesized',
            }
        ],
        'remaining': [],
    }


def test_validity_is_the_absence_of_findings():
    """A history is valid for a provider when a check finds nothing."""
    assert not is_provider_valid(BROKEN)
    assert is_provider_valid(repair_history(BROKEN).messages, dialect=None)
    assert not is_provider_valid(repair_history(BROKEN).messages), 'nothing is left to end on'
    assert is_provider_valid(repair_history(BROKEN, dialect='portable').messages)


def test_live_frontier():
    """`repair_last_response=False` leaves the last response's calls alone, and those only."""
    live = [user('one'), calls('a'), user('two'), calls('b'), returns('x')]
    left = check_history(live, dialect=None, repair_last_response=False)
    assert [finding.tool_call_id for finding in left] == ['a', 'x']
    assert [finding.tool_call_id for finding in check_history(live, dialect=None)] == ['a', 'b', 'x']
    assert is_provider_valid(live[:2], repair_last_response=False)


def test_sound_history_is_returned_as_it_is():
    """Nothing to repair: the same list, no repairs, no change."""
    history = [user('one'), calls('a', 'b'), returns('b', 'a'), says()]
    report = repair_history(history)
    assert report.messages is history
    assert (report.repairs, report.counts, report.changed, report.first_changed_message) == ((), {}, False, None)


@pytest.mark.parametrize('empty', [[], ()])
def test_empty_history(empty: Any):
    """There is nothing wrong with no messages."""
    assert check_history(empty) == []
    assert repair_history(empty).messages == []


def test_any_sequence_of_messages():
    """A tuple of messages is as good as a list."""
    assert repair_history(tuple(BROKEN)).counts == {'HR101': 1, 'HR102': 1}


@pytest.mark.parametrize(
    ('messages', 'got'),
    [(None, 'NoneType'), ('[]', 'str'), (b'[]', 'bytes'), ({}, 'dict'), (iter([]), 'list_iterator')],
)
def test_not_a_sequence(messages: Any, got: str):
    """What is no sequence of messages is refused by name."""
    for function in (check_history, repair_history, is_provider_valid):
        with pytest.raises(TypeError, match=f'`messages` must be a sequence of messages, got {got!r}.'):
            function(messages)


@pytest.mark.parametrize(('message', 'got'), [('hello', 'str'), (None, 'NoneType'), ({'kind': 'request'}, 'dict')])
def test_not_a_message(message: Any, got: str):
    """What is no message is refused with its index."""
    with pytest.raises(
        TypeError, match=rf'`messages\[1\]` must be a `ModelRequest` or a `ModelResponse`, got {got!r}\.'
    ):
        check_history([user('one'), message])


@pytest.mark.parametrize('parts', [None, 5])
@pytest.mark.parametrize('make', [ModelRequest, ModelResponse])
def test_parts_that_are_none(make: Any, parts: Any):
    """A message without readable parts is refused with its index."""
    message = make(parts=[])
    message.parts = parts
    with pytest.raises(TypeError, match=r'`messages\[1\]\.parts` must be a sequence of parts, got '):
        check_history([user('one'), message])


@pytest.mark.parametrize('id', [['a'], {}])
def test_tool_call_id_of_a_wrong_type(id: Any):
    """A tool call id that is no string is refused with its place."""
    with pytest.raises(TypeError, match=r'`messages\[0\]\.parts\[1\]\.tool_call_id` must be a string, got '):
        check_history([ModelResponse(parts=[TextPart('x'), ToolCallPart('act', {}, tool_call_id=id)])])
    with pytest.raises(TypeError, match=r'`messages\[0\]\.parts\[0\]\.tool_call_id` must be a string, got '):
        check_history([ModelRequest(parts=[ToolReturnPart('act', 'x', tool_call_id=id)])])


def test_what_nobody_can_explain_is_raised_as_it_came():
    """An error while reading that none of the checks explains is not replaced by a wrong explanation."""

    class Unhashable(str):
        __hash__ = None  # pyright: ignore[reportAssignmentType]

    with pytest.raises(TypeError, match='unhashable type'):
        check_history([ModelResponse(parts=[ToolCallPart('act', {}, tool_call_id=Unhashable('a'))])])


@pytest.mark.parametrize('function', [check_history, repair_history, is_provider_valid])
def test_unknown_dialect(function: Any):
    """A dialect that is not there is refused, with those that are."""
    with pytest.raises(
        ValueError, match=r"`dialect` must be one of 'portable', .*'unknown' or `None`, got 'klingon'\."
    ):
        function([], dialect='klingon')


def test_subclassed_messages():
    """Subclasses of messages are messages."""

    class OwnRequest(ModelRequest):
        pass

    class OwnResponse(ModelResponse):
        pass

    history: list[ModelMessage] = [
        OwnRequest(parts=[UserPromptPart('one')]),
        OwnResponse(parts=[ToolCallPart('act', {}, tool_call_id='a')]),
    ]
    assert repair_history(history).counts == {'HR101': 1}
    assert is_provider_valid([*history, OwnRequest(parts=[ToolReturnPart('act', 'x', tool_call_id='a')])])


def test_large_histories_and_arguments():
    """50,000 messages and an argument string of 10 MB are read like any other."""
    long = [message for turn in range(12_500) for message in (user('x'), calls(f'{turn}'), returns(f'{turn}'), says())]
    assert repair_history(long).messages is long
    assert repair_history(long[:-2]).counts == {'HR101': 1}
    huge = ModelResponse(parts=[ToolCallPart('act', 'x' * 10_000_000, tool_call_id='a')])
    assert repair_history([huge]).messages[0] is huge


def test_one_object_in_several_places():
    """The same message object standing twice is repaired by place, not by identity."""
    call, result = calls('a'), returns('a')
    report = repair_history([call, result, result])
    assert shape(report.messages) == ['response: call a', 'request: return a']
    assert shape(repair_history([call, call, result]).messages)[:2] in (
        ['response: call a', 'request: synthesized a'],
        ['response: call a, call a', 'request: synthesized a, return a'],
    )


def test_own_rules():
    """A caller's own rule runs beside ours, and what it cannot repair stays in `remaining`."""

    class Shouting(Rule):
        """A user who shouts."""

        code = 'X1'
        name = 'shouting'
        since = '1.0'
        phase = 'shape'

        def check(self, history: History) -> list[Finding]:
            assert history.pairing.orphaned == [], 'what an earlier phase has repaired is not there any more'
            return [
                Finding(code=self.code, name=self.name, location=Location(index), message='Loud.', fixable=False)
                for index, message in enumerate(history.messages)
                for part in message.parts
                if isinstance(part, UserPromptPart) and str(part.content).isupper()
            ]

        def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
            raise AssertionError('there is nothing that can be fixed')

    loud = [returns('gone'), says(), user('one'), user('HELLO')]
    report = repair_history(loud, rules=[*CORE_RULES[:2], Shouting()])
    assert [finding.location for finding in report.remaining] == [(2, None)], 'where it is in what was repaired'
    assert check_history(loud, rules=[*RULES, Shouting()])[-1].fixable is False
    alone = [user('HELLO')]
    report = repair_history(alone, rules=[Shouting()])
    assert (report.messages is alone, len(report.remaining)) == (True, 1)


def test_codes_are_no_rules():
    """`rules` takes rules: a code in it is refused by name."""
    bad: Any = ['HR101']
    with pytest.raises(
        TypeError, match=r"`rules` must hold rules, such as those of `RULES`, not their codes, got 'HR101'\."
    ):
        check_history([], rules=bad)


def test_location_is_a_json_pointer():
    """A location prints as a pointer into the dumped history."""
    assert (str(Location(3, 1)), str(Location(3))) == ('/3/parts/1', '/3')
