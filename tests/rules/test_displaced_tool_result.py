from __future__ import annotations

from pydantic_ai.messages import ModelRequest

from pydantic_ai_history_repair import repair_history

from ..agents import calls, returns, says, shape, user


def test_late_result_moves_next_to_its_call():
    """A result behind a later response goes behind the other results of the turn after its call."""
    history = [
        calls('a', 'b'),
        ModelRequest(parts=[*returns('a').parts, *user('well?').parts]),
        says(),
        returns('b'),
        says(),
    ]
    report = repair_history(history)
    assert [(repair.code, str(repair.location), repair.action) for repair in report.repairs] == [
        ('HR103', '/3/parts/0', 'moved'),
        ('HR201', '/4', 'merged'),
    ]
    assert shape(report.messages) == [
        'response: call a, call b',
        'request: return a, return b, user well?',
        'response: text, text',
    ]


def test_moved_before_synthesized():
    """Where one call's result is late and another's is lost, the real one comes first."""
    report = repair_history([calls('a', 'b'), user('well?'), says(model_name='m'), returns('b'), says(model_name='m')])
    assert shape(report.messages)[1] == 'request: return b, synthesized a, user well?'


def test_request_that_only_held_late_results_is_dropped_unless_it_is_the_last():
    """Moving empties a request: it goes, but a history that ended on a request still does."""
    interior = repair_history([calls('a'), user('well?'), says(model_name='m'), returns('a'), says(model_name='m')])
    assert len(interior.messages) == 4
    last = repair_history([calls('a'), user('well?'), says(model_name='m'), returns('a')])
    assert shape(last.messages)[-1] == 'request: '


def test_results_for_two_responses_in_a_row_stay():
    """Two responses that are answered together are one turn to providers: nothing moves."""
    history = [calls('a', model_name='m'), calls('b', model_name='m'), returns('a', 'b')]
    assert repair_history(history).messages is history


def test_results_come_along_when_responses_in_a_row_are_parted():
    """Closing a call between two responses in a row parts them: the first one's other results follow it."""
    history = [calls('a', 'b', model_name='m'), calls('c', model_name='m'), says(model_name='m'), returns('b', 'c')]
    report = repair_history(history)
    assert shape(report.messages) == [
        'response: call a, call b',
        'request: return b, synthesized a',
        'response: call c',
        'response: text',
        'request: return c',
    ]
    assert repair_history(report.messages).messages is report.messages


def test_ids_used_again_never_get_the_other_turns_result():
    """A late result answers the latest call with its id, as in core: the earlier call is closed."""
    history = [calls('a'), user('well?'), calls('a'), returns('a'), says()]
    report = repair_history(history)
    assert shape(report.messages) == [
        'response: call a',
        'request: synthesized a, user well?',
        'response: call a',
        'request: return a',
        'response: text',
    ]


def test_result_before_its_call_is_an_orphan():
    """A result cannot be older than its call: it is not moved to it, which may be another turn's with the same id."""
    report = repair_history([returns('a'), calls('a'), user('well?')])
    assert report.counts == {'HR101': 1, 'HR102': 1}
