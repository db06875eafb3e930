"""The server: what it judges, what it answers, what it remembers."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any, cast

import pytest

from pydantic_ai_history_repair.strict_provider import (
    ProviderError,
    Text,
    Thinking,
    ToolCall,
    WireViolation,
    strict_provider,
)

if TYPE_CHECKING:
    from pydantic_ai_history_repair.strict_provider import StrictProvider

BODY: dict[str, Any] = {'model': 'claude', 'max_tokens': 10, 'messages': [{'role': 'user', 'content': 'Hi'}]}


def accepts(_api: str, _body: object, /, **_options: str | None) -> list[WireViolation]:
    return []


def ask(provider: StrictProvider, body: object, path: str = '/v1/messages') -> tuple[int, bytes]:
    request = urllib.request.Request(f'{provider.base_url}{path}', data=json.dumps(body).encode())
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def test_unscripted_completion() -> None:
    """Without a script the answer is a minimal message, and the request is on record."""
    with strict_provider('anthropic', judge=accepts) as provider:
        status, body = ask(provider, BODY)
        message = json.loads(body)
        assert (status, message['content'], message['stop_reason']) == (
            200,
            [{'type': 'text', 'text': 'OK'}],
            'end_turn',
        )
        [request] = provider.requests
        assert (request.method, request.path, request.body, request.status) == ('POST', '/v1/messages', BODY, 200)


def test_script() -> None:
    """Script entries are answered in order: several parts as one turn, an error with its status."""
    turn = [Thinking('Two tools.'), ToolCall('add', {'a': 1}), ToolCall('add', {}, id='toolu_own')]
    with strict_provider('anthropic', judge=accepts, script=[turn, ProviderError(529, 'Overloaded')]) as provider:
        provider.respond_with(Text('Done.'))
        status, body = ask(provider, BODY)
        assert status == 200
        assert json.loads(body)['stop_reason'] == 'tool_use'
        assert json.loads(body)['content'][1:] == [
            {'type': 'tool_use', 'id': 'toolu_c00000101', 'name': 'add', 'input': {'a': 1}},
            {'type': 'tool_use', 'id': 'toolu_own', 'name': 'add', 'input': {}},
        ]
        status, body = ask(provider, BODY)
        assert (status, json.loads(body)['error']) == (529, {'type': 'overloaded_error', 'message': 'Overloaded'})
        status, body = ask(provider, BODY)
        assert json.loads(body)['content'] == [{'type': 'text', 'text': 'Done.'}]


def test_violation_keeps_the_script() -> None:
    """A refused request gets the first violation's text and status, and takes no entry of the script."""
    violations = [
        WireViolation(code='first', pointer='/a', message='', provider_error='messages.0: no', status=422),
        WireViolation(code='second', pointer='/b', message='', provider_error='messages.1: no'),
    ]
    verdicts = [violations, []]

    def judge(_api: str, _body: object, /, **_options: str | None) -> list[WireViolation]:
        return verdicts.pop(0)

    with strict_provider('anthropic', judge=judge, script=[Text('Done.')]) as provider:
        status, body = ask(provider, BODY)
        assert (status, json.loads(body)['error']['message']) == (422, 'messages.0: no')
        assert provider.requests[0].violations == tuple(violations)
        assert b'Done.' in ask(provider, BODY)[1]


def test_default_judge() -> None:
    """Without a judge of one's own, `check_request` judges."""
    call: dict[str, Any] = {'type': 'tool_use', 'id': 'toolu_1', 'name': 'now', 'input': {}}
    messages: list[Any] = [*BODY['messages'], {'role': 'assistant', 'content': [call]}, *BODY['messages']]
    tools: list[Any] = [{'name': 'now', 'input_schema': {'type': 'object'}}]
    with strict_provider('anthropic') as provider:
        assert ask(provider, BODY)[0] == 200
        status, body = ask(provider, {**BODY, 'tools': tools, 'messages': messages})
        assert status == 400
        assert 'tool_use` ids were found without `tool_result` blocks' in json.loads(body)['error']['message']
        assert [violation.code for violation in provider.requests[1].violations] == ['anthropic-call-without-result']


def test_judge_sees_model_and_family() -> None:
    """The judge gets the model of the path, decoded, and the family the provider was made for."""
    seen: list[Any] = []

    def judge(api: str, body: object, /, *, model: str | None = None, family: str | None = None) -> list[WireViolation]:
        seen.append((api, body, model, family))
        return []

    with strict_provider('bedrock', judge=judge, family='nova') as provider:
        ask(provider, {}, '/model/us.amazon.nova-micro-v1%3A0/converse')
    with strict_provider('openai-chat', judge=judge) as provider:
        ask(provider, {'model': 'm'}, '/chat/completions')
    assert seen == [
        ('bedrock', {}, 'us.amazon.nova-micro-v1:0', 'nova'),
        ('openai-chat', {'model': 'm'}, None, None),
    ]


def test_broken_judge(capfd: pytest.CaptureFixture[str]) -> None:
    """A judge that raises is a 500 that says so, and nothing on the terminal."""

    def judge(_api: str, _body: object, /, **_options: str | None) -> list[WireViolation]:
        raise KeyError('oops')

    with strict_provider('anthropic', judge=judge) as provider:
        status, body = ask(provider, BODY)
        assert status == 500
        assert json.loads(body)['error'] == {
            'type': 'api_error',
            'message': "The strict provider itself failed: KeyError: 'oops'",
        }
        assert provider.requests[0].status == 500
    assert capfd.readouterr() == ('', '')


def test_ids_avoid_those_of_the_request() -> None:
    """A history that another server began does not meet its own ids again."""
    with strict_provider('anthropic', judge=accepts, script=[ToolCall('now')] * 2) as provider:
        _, body = ask(provider, {**BODY, 'metadata': {'ids': ['toolu_c00000100', 'toolu_c00000200']}})
        assert json.loads(body)['content'][0]['id'] == 'toolu_c00000300'
        _, body = ask(provider, BODY)
        assert json.loads(body)['content'][0]['id'] == 'toolu_c00000200'


def test_same_script_same_bytes() -> None:
    """There is no clock and no chance in an answer."""
    turn = [Thinking('Hm.'), ToolCall('now'), Text('Hi')]
    answers: list[bytes] = []
    for _ in range(2):
        with strict_provider('anthropic', judge=accepts, script=[turn]) as provider:
            answers.append(ask(provider, BODY)[1])
    assert answers[0] == answers[1]


@pytest.mark.parametrize('entry', ['Hi', None, {'text': 'Hi'}, [Text('Hi'), 'there'], [ProviderError(400)]])
def test_wrong_script(entry: Any) -> None:
    """What is no script entry is refused at once, and nothing of it is queued."""
    with pytest.raises(
        TypeError, match=r'^`script` must hold `Text`, `ToolCall`, `Thinking` or `ProviderError`, or lists'
    ):
        strict_provider('anthropic', script=[entry])
    provider = strict_provider('anthropic', judge=accepts)
    with pytest.raises(TypeError, match=r'^`script` must hold '):
        provider.respond_with(Text('Hi'), entry)
    with provider:
        assert b'OK' in ask(provider, BODY)[1]


def test_wrong_api() -> None:
    """An unknown API is refused by name."""
    with pytest.raises(ValueError, match=r"^`api` must be one of 'anthropic', .* got 'cohere'\.$"):
        strict_provider(cast('Any', 'cohere'))


def test_wrong_family() -> None:
    """An unknown family is an error of whoever starts the server, not of its clients."""
    with pytest.raises(ValueError, match=r"`family` must be one of .* got 'nobody'"):
        strict_provider('anthropic', family='nobody')


def test_outside_the_block() -> None:
    """Before and after the block there is no URL; what was recorded stays; a second round is possible, a nested not."""
    provider = strict_provider('anthropic', judge=accepts)
    with pytest.raises(RuntimeError, match='use it in a `with` block'):
        _ = provider.base_url
    with provider:
        ask(provider, BODY)
        with pytest.raises(RuntimeError, match='serves already'):
            provider.__enter__()
    with pytest.raises(RuntimeError, match='use it in a `with` block'):
        _ = provider.base_url
    provider.__exit__(None, None, None)
    with provider:
        ask(provider, BODY)
    assert len(provider.requests) == 2
