from __future__ import annotations

from pydantic_ai.messages import ModelRequest

from pydantic_ai_history_repair import CORE_RULES, repair_history

from ..agents import calls, returns, says, shape, user


def test_requests_with_other_instructions_stay_apart():
    """Instructions hold for one request: where they differ, nothing is merged."""
    history = [user('one', instructions='Be brief.'), user('two', instructions='Be kind.')]
    assert repair_history(history).messages is history


def test_requests_merge_with_results_first():
    """Of requests in a row one is left, results first, with the instructions that any of them had."""
    history = [calls('a'), user('one'), returns('a', instructions='Be brief.'), user('two')]
    report = repair_history(history)
    assert shape(report.messages) == ['response: call a', 'request: return a, user one, user two']
    assert isinstance(report.messages[1], ModelRequest)
    assert report.messages[1].instructions == 'Be brief.'
    assert [str(repair.location) for repair in report.repairs] == ['/2', '/3']


def test_third_request_is_held_against_what_the_first_two_became():
    """Instructions that a merge has taken over keep a later request apart."""
    history = [user('one'), user('two', instructions='Be brief.'), user('three', instructions='Be kind.')]
    assert shape(repair_history(history).messages) == ['request: user one, user two', 'request: user three']


def test_responses_of_a_provider_are_never_merged():
    """Only responses that no provider sent become one."""
    assert shape(repair_history([says(), says()]).messages) == ['response: text, text']
    for sent in ({'model_name': 'm'}, {'provider_name': 'p'}, {'provider_response_id': 'r'}):
        for history in ([says(), says(**sent)], [says(**sent), says()]):
            assert repair_history(history).messages is history


def test_results_are_gathered():
    """What stands between the results of one request moves behind the last of them."""
    request = ModelRequest(parts=[*user('x').parts, *returns('a').parts, *user('y').parts, *returns('b').parts])
    report = repair_history([calls('a', 'b'), request])
    assert shape(report.messages)[1] == 'request: user x, return a, return b, user y'
    assert [(repair.code, repair.action) for repair in report.repairs] == [('HR201', 'moved')]


def test_what_core_leaves_between_merged_results_is_gathered_at_once():
    """Tool-less feedback that a merge puts between results needs no second pass here; core's own rules need one."""
    from pydantic_ai.messages import RetryPromptPart as OldRetry  # pyright: ignore[reportDeprecated]

    feedback = object.__new__(OldRetry)
    vars(feedback).update(content='again', tool_name=None, tool_call_id='x', part_kind='retry-prompt')
    history = [calls('a', 'b'), ModelRequest(parts=[*returns('a').parts, feedback]), returns('b')]
    assert shape(repair_history(history, rules=CORE_RULES).messages)[1] == 'request: return a, retry-prompt, return b'
    assert shape(repair_history(history).messages)[1] == 'request: return a, return b, retry-prompt'


def test_framework_metadata_survives_a_merge():
    """The framework's own metadata is joined; the application's stays with nobody, as in core."""
    history = [
        user('one', metadata={'__pydantic_ai__': {'x': 1}, 'app': 1}),
        user('two', metadata={'__pydantic_ai__': {'y': 2}}),
        user('three', metadata={'app': 3}),
    ]
    [merged] = repair_history(history).messages
    assert merged.metadata == {'__pydantic_ai__': {'x': 1, 'y': 2}}
    assert repair_history([user('one'), user('two')]).messages[0].metadata is None
