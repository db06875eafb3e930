"""The server: what it judges, what it answers, what it remembers."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

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
