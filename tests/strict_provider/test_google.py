from __future__ import annotations

from typing import Any

import pytest

from pydantic_ai_history_repair.strict_provider import check_request

from .rule_case import RuleCase, case_id


def body(*contents: Any) -> dict[str, Any]:
    return {'contents': list(contents)}


def user(*parts: Any) -> dict[str, Any]:
    return {'role': 'user', 'parts': list(parts)}


def model(*parts: Any) -> dict[str, Any]:
    return {'role': 'model', 'parts': list(parts)}


def text(value: str = 'hi') -> dict[str, Any]:
    return {'text': value}


def call(name: str = 'look', **more: Any) -> dict[str, Any]:
    return {'functionCall': {'name': name, 'args': {}}, **more}


def response(name: str = 'look') -> dict[str, Any]:
    return {'functionResponse': {'name': name, 'response': {'seen': 1}}}


ASK, CALLED, ANSWER = user(text()), model(call()), user(response())
SIGNED = call(thoughtSignature='c2ln')
DONE = body(ASK, CALLED, ANSWER)
COUNT = (
    'Please ensure that the number of function response parts is equal to the number of function call parts '
    'of the function call turn.'
)
NOT_AFTER_CALL = 'Please ensure that function response turn comes immediately after a function call turn.'
MODEL_LAST = 'Requests ending with a model turn are not supported.'
UNSIGNED = (
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, '
    'and missing thought_signature may lead to degraded model performance. Additional data, function call '
    '`default_api:look` , position {}.'
)


def case(code: str, broken: Any, pointer: str, error: str, accepted: Any = DONE, **more: Any) -> RuleCase:
    return RuleCase(api='google', code=code, broken=broken, pointer=pointer, error=error, accepted=accepted, **more)


CASES = [
    case(
        'gemini-malformed-body',
        {'contents': 'hi'},
        '/contents',
        "Invalid value at 'contents', expected array, got string.",
    ),
    case(
        'gemini-malformed-body',
        body(ASK, model({'functionCall': {'name': 'look', 'args': '{"x":'}}), ANSWER),
        '/contents/1/parts/0/functionCall/args',
        "Invalid value at 'contents[1].parts[0].functionCall.args', expected object, got string.",
        body({'parts': [text()]}, model({'function_call': {'name': 'look'}}), ANSWER),
    ),
    case(
        'gemini-malformed-body',
        body(ASK, model(call(thought_signature=3)), ANSWER),
        '/contents/1/parts/0/thoughtSignature',
        "Invalid value at 'contents[1].parts[0].thoughtSignature', expected string, got number.",
    ),
    case(
        'gemini-malformed-body',
        body(user({'text': 3})),
        '/contents/0/parts/0/text',
        "Invalid value at 'contents[0].parts[0].text', expected string, got number.",
    ),
    case('gemini-no-contents', {}, '/contents', '* GenerateContentRequest.contents: contents is not specified'),
    case(
        'gemini-empty-parts',
        body(ASK, {'role': 'model'}, ASK),
        '/contents/1',
        '* GenerateContentRequest.contents[1].parts: contents.parts must not be empty.',
        body(ASK, model(text('')), ASK),
    ),
    case(
        'gemini-empty-part',
        body(user({})),
        '/contents/0/parts/0',
        "* GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field",
        body(user({'inlineData': {'mimeType': 'image/png', 'data': 'AAAA'}})),
    ),
    case(
        'gemini-empty-text',
        body(user(text(''), text())),
        '/contents/0/parts/0',
        'Unable to submit request because it must have a text parameter.',
        body(user(text(' '))),
        model='projects/p/locations/global/publishers/google/models/gemini-2.5-pro',
        other_family='gemini-2',
    ),
    case('gemini-response-count-mismatch', body(ASK, model(call(), call()), ANSWER), '/contents/1/parts/0', COUNT),
    case('gemini-response-count-mismatch', body(ASK, CALLED, ASK), '/contents/1/parts/0', COUNT),
    case('gemini-response-count-mismatch', body(ASK, CALLED), '/contents/1/parts/0', COUNT),
    case(
        'gemini-response-count-mismatch',
        body(ASK, CALLED, user(response(), response())),
        '/contents/1/parts/0',
        COUNT,
        body(ASK, CALLED, CALLED, user(response(), response())),
    ),
    case(
        'parallel-results-split',
        body(ASK, model(call(), call()), ANSWER, ANSWER),
        '/contents/3/parts/0',
        COUNT,
        body(ASK, model(call(), call()), user(response(), response()), ASK),
        family='vertex-gemini-2',
        other_family='gemini-2',
    ),
    case('gemini-response-without-call', body(ANSWER), '/contents/0/parts/0', NOT_AFTER_CALL),
    case(
        'gemini-response-without-call',
        body(ASK, CALLED, ANSWER, model(text()), ANSWER),
        '/contents/4/parts/0',
        NOT_AFTER_CALL,
        body(ASK, CALLED, ANSWER, CALLED, ANSWER),
    ),
    case(
        'gemini-call-turn-order',
        body(CALLED, ANSWER),
        '/contents/0/parts/0',
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
        body(model(text()), ASK, model(text()), CALLED, ANSWER),
    ),
    case(
        'gemini-response-turn-mixed-text',
        body(ASK, model(SIGNED), user(response(), text())),
        '/contents/2/parts/1',
        MODEL_LAST,
        body(ASK, model(SIGNED, call()), user(text(), response(), response())),
        model='publishers/google/models/gemini-3.8-flash',
        other_family='gemini-3.6',
    ),
    case(
        'gemini-must-end-with-user',
        body(ASK, model(text())),
        '/contents/1',
        MODEL_LAST,
        body(ASK, model(text()), ASK),
        model='gemini-3.6-flash',
        other_family='gemini-3',
    ),
    case(
        'gemini-missing-thought-signature',
        DONE,
        '/contents/1/parts/0',
        UNSIGNED.format(2),
        body(ASK, model(text(), SIGNED, call()), user(response(), response())),
        model='gemini-3-pro-preview',
        other_family='gemini-2',
    ),
    case(
        'gemini-missing-thought-signature',
        body(ASK, model(SIGNED), ANSWER, CALLED, ANSWER),
        '/contents/3/parts/0',
        UNSIGNED.format(4),
        body(ASK, CALLED, ANSWER, model(text()), ASK, model(SIGNED), ANSWER),
        family='gemini-3',
    ),
    case(
        'gemini-missing-thought-signature',
        body(ASK, CALLED, ANSWER, model(SIGNED), ANSWER),
        '/contents/1/parts/0',
        UNSIGNED.format(2),
        body(ASK, model(SIGNED), ANSWER, model(SIGNED), ANSWER),
        family='gemini-3',
    ),
    case(
        'gemini-missing-thought-signature',
        body(CALLED, ANSWER),
        '/contents/0/parts/0',
        UNSIGNED.format(1),
        body(ASK, model(call(thought_signature='c2tpcF90aG91Z2h0')), ANSWER),
        family='gemini-3',
        also=('gemini-call-turn-order',),
    ),
    case(
        'gemini-corrupted-signature',
        body(ASK, model(call(thoughtSignature='not base64!')), ANSWER),
        '/contents/1/parts/0/thoughtSignature',
        'Base64 decoding failed',
        body(ASK, model(call(thoughtSignature='skip_thought_signature_validator')), ANSWER),
    ),
]


@pytest.mark.parametrize('case', CASES, ids=case_id)
def test_rule(case: RuleCase) -> None:
    """The broken body breaks its rule at the place, in the provider's words, and its neighbour breaks none."""
    case.check()


def test_both_spellings_of_field_names_are_read() -> None:
    """Protocol buffers take `function_call` for `functionCall`."""
    snake = body(ASK, model({'function_call': {'name': 'look', 'args': {}}}), ASK)
    assert [v.code for v in check_request('google', snake)] == ['gemini-response-count-mismatch']
