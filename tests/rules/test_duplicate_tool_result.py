from __future__ import annotations

import warnings
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic_ai import messages as m
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelRequest, ToolReturnPart

from pydantic_ai_history_repair import repair_history

from ..agents import calls, returns, says, shape, user

THEN = datetime(2026, 1, 1, tzinfo=UTC)


def result(content: Any, id: str = 'a', **options: Any) -> ToolReturnPart:
    return ToolReturnPart('act', content, tool_call_id=id, timestamp=THEN, **options)


def retry(content: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # deprecated in newer cores, but stored histories hold it
        return m.RetryPromptPart(content=content, tool_name='act', tool_call_id='a')  # pyright: ignore[reportDeprecated]


def repaired(*results: Any) -> tuple[list[str], Any]:
    """What was done, and the content of the one result that is left."""
    report = repair_history([calls('a'), ModelRequest(parts=list(results))])
    [left] = report.messages[1].parts
    return [repair.action for repair in report.repairs], getattr(left, 'content')  # noqa: B009


@pytest.mark.parametrize(
    ('results', 'actions', 'content'),
    [
        pytest.param([result('x'), result('x')], ['removed'], 'x', id='exact copy'),
        pytest.param([result('x'), result('y')], ['joined'], 'x\ny', id='texts'),
        pytest.param([result('x'), result('y'), result('z')], ['joined', 'joined'], 'x\ny\nz', id='three texts'),
        pytest.param([result({'x': 1}), result('y')], ['joined'], [{'x': 1}, 'y'], id='data and text'),
        pytest.param([result([1, 2]), result([3])], ['joined'], [1, 2, 3], id='lists'),
        pytest.param([result('x'), result('x', outcome='failed')], ['replaced'], 'x', id='another outcome'),
        pytest.param([retry('again'), result('x')], ['joined'], 'again\nx', id='retry, then return'),
        pytest.param([result('x'), retry('again')], ['joined'], 'x\nagain', id='return, then retry'),
        pytest.param([retry('one'), retry('two')], ['joined'], 'one\ntwo', id='two retries'),
    ],
)
def test_one_result_is_left(results: list[Any], actions: list[str], content: Any):
    """Copies go, different answers become one, in their order."""
    assert repaired(*results) == (actions, content)


def test_kind_and_outcome_of_what_is_left():
    """A return is left if there is one, with the outcome of the later result."""
    for results in ([retry('again'), result('x')], [result('x'), retry('again')]):
        [left] = repair_history([calls('a'), ModelRequest(parts=results)]).messages[1].parts
        assert isinstance(left, ToolReturnPart)
    [left] = (
        repair_history([calls('a'), ModelRequest(parts=[result('x'), result('y', outcome='denied')])]).messages[1].parts
    )
    assert isinstance(left, ToolReturnPart)
    assert left.outcome == 'denied'


def test_real_result_takes_the_place_of_a_synthesized_one():
    """A call that was closed as interrupted gets its real result when that arrives, where the other one stood."""
    closed = repair_history([calls('a'), user('go on'), says()]).messages
    late = repair_history([*closed, ModelRequest(parts=[result('x'), *user('and?').parts])])
    assert [(repair.action, str(repair.location)) for repair in late.repairs] == [('replaced', '/3/parts/0')]
    assert shape(late.messages) == [
        'response: call a',
        'request: return a, user go on',
        'response: text',
        'request: user and?',
    ]


def test_synthesized_result_never_beats_a_real_one():
    """An interrupted return beside a real one is noise, whatever the order."""
    closed: Any = repair_history([calls('a')]).messages[1].parts[0]
    report = repair_history([calls('a'), returns('a'), says(), ModelRequest(parts=[closed, *user('and?').parts])])
    assert [repair.action for repair in report.repairs] == ['removed']
    assert shape(report.messages)[1] == 'request: return a'


def test_repeat_moves_along_with_a_displaced_first():
    """Two late results for one call become one, next to the call."""
    history = [
        calls('a'),
        user('go on'),
        says(),
        ModelRequest(parts=[result('x')]),
        says(),
        ModelRequest(parts=[result('y')]),
    ]
    report = repair_history(history)
    assert report.counts == {'HR103': 1, 'HR104': 1, 'HR201': 1}
    [left, _] = report.messages[1].parts
    assert getattr(left, 'content') == 'x\ny'  # noqa: B009


def test_result_of_another_tool_is_removed():
    """A second result that names another tool has lost its own call: it does not end up in this one's answer."""
    stray = ToolReturnPart('other', 'z', tool_call_id='a', timestamp=THEN)
    assert repaired(result('x'), stray) == (['removed'], 'x')


def test_typed_results_are_not_joined():
    """The latest typed result of core's own tools stands: loading checks its shape, so that it cannot be a list."""
    found: Any = {'discovered_tools': [{'name': 'look'}]}
    more: Any = {'discovered_tools': [{'name': 'look'}, {'name': 'find'}]}
    call = m.ToolSearchCallPart(args={'queries': ['x']}, tool_call_id='a')
    parts = [m.ToolSearchReturnPart(content=content, tool_call_id='a', timestamp=THEN) for content in (found, more)]
    report = repair_history([m.ModelResponse(parts=[call]), ModelRequest(parts=parts)])
    [left] = report.messages[1].parts
    assert getattr(left, 'content') == more  # noqa: B009
    loaded = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(report.messages))
    assert repair_history(loaded).messages is loaded


def test_results_of_other_turns_are_never_joined():
    """Ids that start again in every turn are no repeats: each result stays with its own call."""
    history = [user('one'), calls('a'), returns('a'), says(), user('two'), calls('a'), returns('a'), says()]
    assert repair_history(history).messages is history


def test_contents_that_cannot_be_compared_are_joined():
    """Values that refuse comparison, as arrays do, are different answers."""

    class Array:
        def __eq__(self, other: object) -> Any:
            raise ValueError('ambiguous')

        __hash__ = None  # pyright: ignore[reportAssignmentType]

    first, again = Array(), Array()
    actions, content = repaired(result(first), result(again))
    assert actions == ['joined']
    assert (content[0] is first, content[1] is again) == (True, True)
