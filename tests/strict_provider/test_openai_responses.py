from __future__ import annotations

from typing import Any

import pytest

from pydantic_ai_history_repair.strict_provider import check_request

from .rule_case import RuleCase, case_id


def body(*items: Any, model: str = 'gpt-5', **settings: Any) -> dict[str, Any]:
    return {'model': model, 'input': list(items), **settings}


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return {'type': kind, **fields}


def call(call_id: str = 'call_a', **more: Any) -> dict[str, Any]:
    return item('function_call', **{'call_id': call_id, 'name': 'look', 'arguments': '{}', **more})


def output(call_id: str = 'call_a') -> dict[str, Any]:
    return item('function_call_output', call_id=call_id, output='seen')


def assistant(**more: Any) -> dict[str, Any]:
    return {'role': 'assistant', 'content': 'hello', **more}


def reasoning(item_id: str = 'rs_1') -> dict[str, Any]:
    return item('reasoning', id=item_id, summary=[], encrypted_content='gAAA')


USER: dict[str, Any] = {'role': 'user', 'content': 'hi'}
SAID = assistant(type='message', id='msg_1', content=[{'type': 'output_text', 'text': 'hello'}])
DONE = body(USER, call(), output())
DUPLICATE = (
    "Duplicate function_call_output for call_id 'call_a'. "
    'Each function_call must have exactly one matching function_call_output'
)
NO_ITEM = "Item 'rs_1' of type 'reasoning' was provided without its required following item."


def case(code: str, broken: Any, pointer: str, error: str, accepted: Any = DONE, **more: Any) -> RuleCase:
    return RuleCase(
        api='openai-responses', code=code, broken=broken, pointer=pointer, error=error, accepted=accepted, **more
    )


CASES = [
    case(
        'responses-malformed-body',
        {'model': 'gpt-5'},
        '/input',
        "Missing required parameter: 'input'.",
        {'model': 'gpt-5', 'input': 'hi'},
    ),
    case(
        'responses-malformed-body',
        body({'role': 'user', 'content': 3}),
        '/input/0/content',
        "Invalid type for 'input[0].content': expected an array, but got a number instead.",
        {'model': 'gpt-5', 'previous_response_id': 'resp_1'},
    ),
    case(
        'responses-malformed-body',
        body(USER, item('function_call', call_id='call_a', name='look', arguments={})),
        '/input/1/arguments',
        "Invalid type for 'input[1].arguments': expected a string, but got an object instead.",
    ),
    case(
        'responses-call-without-output',
        body(USER, call()),
        '/input/1',
        'No tool output found for function call call_a.',
    ),
    case(
        'responses-call-without-output',
        body(USER, call(), SAID, USER),
        '/input/1',
        'No tool output found for function call call_a.',
        body(USER, call(), SAID, USER, item('web_search_call', id='ws_1'), output()),
    ),
    case(
        'responses-output-without-call',
        body(USER, output()),
        '/input/1',
        'No tool call found for function call output with call_id call_a.',
        body(USER, output(), previous_response_id='resp_1'),
    ),
    case(
        'responses-output-without-call',
        body(output()),
        '/input/0',
        'No tool call found for function call output with call_id call_a.',
        body(item('tool_search_call', call_id='call_a', execution='client'), output()),
    ),
    case(
        'responses-duplicate-output',
        body(USER, call(), output(), output()),
        '/input/3',
        DUPLICATE,
        body(USER, call(), output(), call('call_b'), output('call_b')),
    ),
    case(
        'responses-duplicate-output',
        body(USER, call(), output(), call(), output(), model='vendor/model'),
        '/input/4',
        DUPLICATE,
    ),
    case(
        'responses-duplicate-item-id',
        body(SAID, USER, SAID),
        '/input/2/id',
        'Duplicate item found with id msg_1. Remove duplicate items from your input and try again.',
        body(SAID, USER, {**SAID, 'id': 'msg_2'}, item('item_reference', id='msg_1')),
        other_family='other',
    ),
    case(
        'openai-call-id-length',
        body(USER, call('x' * 65), output('x' * 65)),
        '/input/1/call_id',
        "Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, "
        'but got a string with length 65 instead.',
        body(USER, call('resp_1.:' * 8), output('resp_1.:' * 8)),
        other_family='other',
    ),
    case(
        'openai-call-id-empty',
        body(USER, call(''), output('')),
        '/input/1/call_id',
        "Invalid 'input[1].call_id': empty string. Expected a string with minimum length 1, "
        'but got an empty string instead.',
        other_family='other',
    ),
    case(
        'openai-item-id-prefix',
        body(USER, call(id='call_a'), output()),
        '/input/1/id',
        "Invalid 'input[1].id': 'call_a'. Expected an ID that begins with 'fc'.",
        body(USER, call(id='fc_1'), output()),
        other_family='other',
    ),
    case(
        'openai-item-id-charset',
        body(USER, call(id=''), output()),
        '/input/1/id',
        "Invalid 'input[1].id': ''. Expected an ID that contains letters, numbers, underscores, or dashes, "
        'but this value contained additional characters.',
        body(USER, call(id=None), output()),
        other_family='other',
    ),
    case(
        'openai-tool-name-pattern',
        body(USER, call(name='look.up'), output()),
        '/input/1/name',
        "Invalid 'input[1].name': string does not match pattern. "
        "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        body(USER, call(name='look_up-2'), output()),
        other_family='other',
    ),
    case('responses-reasoning-without-item', body(USER, reasoning()), '/input/1', NO_ITEM, body(USER)),
    case(
        'responses-reasoning-without-item',
        body(USER, reasoning(), assistant(), USER),
        '/input/1',
        NO_ITEM,
        body(USER, reasoning(), SAID, USER),
        other_family='deepseek',
    ),
    case(
        'responses-reasoning-without-item',
        body(USER, call(), reasoning(), output()),
        '/input/2',
        NO_ITEM,
        body(USER, reasoning(), reasoning('rs_2'), call(), output()),
    ),
    case(
        'deepseek-responses-interleaved-calls',
        body(USER, call(), assistant(), call('call_b'), output(), output('call_b'), model='deepseek-v4-flash'),
        '/input/2',
        'No tool output found for tool call call_a.',
        body(
            USER, assistant(), call(), item('x'), call('call_b'), output(), output('call_b'), model='deepseek-v4-flash'
        ),
        other_family='openai',
    ),
    case(
        'deepseek-responses-interleaved-calls',
        body(USER, call(), reasoning(), call('call_b'), output('call_b'), output(), model='deepseek-v4-flash'),
        '/input/2',
        'No tool output found for tool call call_a.',
        body(USER, call(), output(), assistant(), call('call_b'), output('call_b'), model='deepseek-v4-flash'),
    ),
    case(
        'responses-call-without-output',
        body(USER, call(), model='deepseek-v4-flash'),
        '/input/1',
        'No tool output found for tool call call_a.',
    ),
    case(
        'minimax-result-not-following',
        body(USER, call(), model='MiniMax-M2'),
        '/input/1',
        'invalid params, tool call result does not follow tool call (2013)',
        other_family='other',
    ),
    case(
        'minimax-tool-id-not-found',
        body(USER, output(), model='MiniMax-M2'),
        '/input/1',
        "invalid params, tool result's tool id(call_a) not found (2013)",
        other_family='other',
    ),
]


@pytest.mark.parametrize('case', CASES, ids=case_id)
def test_rule(case: RuleCase) -> None:
    """The broken body breaks its rule at the place, in the provider's words, and its neighbour breaks none."""
    case.check()


@pytest.mark.parametrize(
    'elsewhere',
    [
        {'previous_response_id': 'resp_1'},
        {'conversation': {'id': 'conv_1'}},
        {'prompt': {'id': 'pmpt_1'}},
    ],
)
def test_half_an_exchange_is_fine_where_the_server_keeps_the_other(elsewhere: dict[str, Any]) -> None:
    """What the server keeps is not called missing."""
    assert check_request('openai-responses', body(output(), call('call_b'), **elsewhere)) == []


def test_half_an_exchange_is_fine_beside_a_compaction() -> None:
    """A compaction or a reference stands for items that the body does not show."""
    for stand_in in (item('compaction', id='cmp_1', encrypted_content='gAAA'), item('item_reference', id='fc_1')):
        assert check_request('openai-responses', body(stand_in, output())) == []
