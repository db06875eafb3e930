from __future__ import annotations

from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    NativeToolCallPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    ToolSearchCallPart,
    UserPromptPart,
)
from pydantic_ai.messages import RetryPromptPart as OldRetry  # pyright: ignore[reportDeprecated]

from pydantic_ai_history_repair import CORE_RULES, repair_history
from pydantic_ai_history_repair._compat import INTERRUPTED_KEEPS_TOOL_KIND

from ..agents import calls, returns, says, shape, user


def test_closed_after_the_results_that_are_there():
    """The synthesized return stands behind the other results and before the user's words."""
    history = [calls('a', 'b'), ModelRequest(parts=[*returns('b').parts, UserPromptPart('well?')])]
    assert shape(repair_history(history).messages)[1] == 'request: return b, synthesized a, user well?'


def test_closed_in_a_request_of_its_own_where_none_follows():
    """Between two responses, and at the end, a request is added for it."""
    history = [calls('a'), says(model_name='m'), calls('b')]
    assert shape(repair_history(history).messages) == [
        'response: call a',
        'request: synthesized a',
        'response: text',
        'response: call b',
        'request: synthesized b',
    ]


def test_shadowed_call_is_closed():
    """A call whose id a later response uses again can no longer be answered."""
    history = [calls('a'), calls('a', model_name='m'), returns('a')]
    assert shape(repair_history(history).messages) == [
        'response: call a',
        'request: synthesized a',
        'response: call a',
        'request: return a',
    ]


def test_repeated_id_in_one_response_is_answered_in_order():
    """Of two calls with one id the first is answered first, and the other is closed."""
    twice = ModelResponse(parts=[ToolCallPart('first', {}, 'a'), ToolCallPart('second', {}, 'a')])
    [finding] = [repair.finding for repair in repair_history([twice, returns('a')], rules=CORE_RULES).repairs]
    assert (finding.location, finding.tool_name) == ((0, 1), 'second')


def test_feedback_that_names_no_tool_answers_nothing():
    """Plain validation feedback leaves the call open, even when its id is the call's."""
    feedback = object.__new__(OldRetry)
    vars(feedback).update(content='again', tool_name=None, tool_call_id='a', part_kind='retry-prompt')
    report = repair_history([calls('a'), ModelRequest(parts=[feedback])])
    assert report.counts == {'HR101': 1}


def test_cut_off_arguments_are_kept():
    """A call whose arguments were cut off is closed like any other, and stays as it was."""
    cut_off = ModelResponse(parts=[TextPart('x'), ToolCallPart('look', '{"city": "Par', tool_call_id='a')])
    report = repair_history([user('one'), cut_off])
    assert report.messages[1] is cut_off
    assert report.counts == {'HR101': 1}


def test_call_of_cores_own_tool_is_closed_in_a_form_that_loads():
    """A typed call gets a return of its kind where the core can load one, and of none where it cannot."""
    typed = ModelResponse(parts=[ToolSearchCallPart(args={'queries': ['x']}, tool_call_id='a')])
    [_, request] = repair_history([typed]).messages
    [closed] = request.parts
    assert isinstance(closed, ToolReturnPart)
    assert closed.tool_kind == ('tool-search' if INTERRUPTED_KEEPS_TOOL_KIND else None)
    loaded = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json([typed, request]))
    assert repair_history(loaded).messages is loaded


def test_native_calls_are_left_alone():
    """A native call without its result is its provider's business."""
    history = [
        user('one'),
        ModelResponse(parts=[NativeToolCallPart('code', {}, tool_call_id='a'), TextPart('x')]),
        user('two'),
    ]
    assert repair_history(history).messages is history
