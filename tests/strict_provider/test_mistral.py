from __future__ import annotations

from typing import Any

import pytest

from .rule_case import RuleCase, case_id

ID, OTHER_ID = 'abcdefgh1', 'abcdefgh2'


def body(*messages: Any) -> dict[str, Any]:
    return {'model': 'mistral-large-latest', 'messages': list(messages)}


def message(role: str, content: Any = 'hi', **more: Any) -> dict[str, Any]:
    return {'role': role, 'content': content, **more}


def calling(*ids: str) -> dict[str, Any]:
    calls: list[dict[str, Any]] = [{'id': call_id, 'function': {'name': 'look', 'arguments': {}}} for call_id in ids]
    return message('assistant', [], tool_calls=calls)


def tool(call_id: str = ID) -> dict[str, Any]:
    return message('tool', tool_call_id=call_id)


USER, SYSTEM, ASSISTANT = message('user'), message('system'), message('assistant')
DONE = body(SYSTEM, USER, calling(ID), tool())
COUNT = 'Not the same number of function calls and responses'


def case(code: str, broken: Any, pointer: str, error: str, accepted: Any = DONE, **more: Any) -> RuleCase:
    return RuleCase(api='mistral', code=code, broken=broken, pointer=pointer, error=error, accepted=accepted, **more)


CASES = [
    case('mistral-malformed-body', {}, '/messages', 'Field required'),
    case('mistral-malformed-body', body(message('user', 3)), '/messages/0/content', 'Input should be a valid array'),
    case('mistral-no-messages', body(), '/messages', 'Conversation must have at least one message'),
    case('mistral-call-result-count', body(USER, calling(ID), USER), '/messages/1', COUNT),
    case(
        'mistral-call-result-count',
        body(USER, calling(ID, OTHER_ID), tool(ID)),
        '/messages/1',
        COUNT,
        body(USER, calling(ID, OTHER_ID), tool(OTHER_ID), tool(ID)),
    ),
    case(
        'mistral-call-result-count',
        body(USER, calling(ID), calling(OTHER_ID), tool(ID), tool(OTHER_ID)),
        '/messages/1',
        COUNT,
        body(USER, calling(ID), tool(ID), calling(OTHER_ID), tool(OTHER_ID)),
        also=('mistral-unexpected-tool-call-id',),
    ),
    case('mistral-call-result-count', body(tool(), ASSISTANT, USER), '/messages/0', COUNT),
    case(
        'mistral-unexpected-role-tool',
        body(USER, calling(ID), USER, tool()),
        '/messages/3',
        "Unexpected role 'tool' after role 'user'",
        also=('mistral-call-result-count',),
    ),
    case(
        'mistral-unexpected-tool-call-id',
        body(USER, calling(ID), tool(OTHER_ID)),
        '/messages/2',
        f'Unexpected tool call id {OTHER_ID} in tool results',
    ),
    case(
        'mistral-duplicate-tool-call-id',
        body(USER, calling(ID), tool(), tool()),
        '/messages/3',
        f'Duplicate tool call id {ID} in tool results',
        body(USER, calling(ID), tool(), calling(ID), tool()),
        also=('mistral-call-result-count',),
    ),
    case(
        'mistral-user-after-tool',
        body(USER, calling(ID), tool(), USER),
        '/messages/3',
        "Unexpected role 'user' after role 'tool'",
        body(USER, calling(ID), tool(), ASSISTANT, USER),
    ),
    case(
        'mistral-system-mid',
        body(USER, ASSISTANT, SYSTEM, USER),
        '/messages/2',
        "Unexpected role 'system' after role 'assistant'",
        body(SYSTEM, SYSTEM, USER, USER),
    ),
    case(
        'mistral-id-nine-alnum',
        body(USER, calling('call_a'), tool('call_a')),
        '/messages/1/tool_calls/0/id',
        'Tool call id was call_a but must be a-z, A-Z, 0-9, with a length of 9.',
    ),
    case(
        'empty-assistant-other',
        body(USER, message('assistant', []), USER),
        '/messages/1',
        'Assistant message must have either content or tool_calls, but not both.',
        body(USER, ASSISTANT, USER),
    ),
    case(
        'mistral-last-role',
        body(USER, ASSISTANT),
        '/messages/1',
        'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
        body(USER, message('assistant', prefix=True)),
    ),
]


@pytest.mark.parametrize('case', CASES, ids=case_id)
def test_rule(case: RuleCase) -> None:
    """The broken body breaks its rule at the place, in the provider's words, and its neighbour breaks none."""
    case.check()


def test_schema_breach_is_answered_with_422() -> None:
    """Mistral answers a wrong type with status 422, a wrong conversation with 400."""
    assert [violation.status for violation in CASES[0].verdict({})] == [422]
    assert [violation.status for violation in CASES[0].verdict(body())] == [400]
