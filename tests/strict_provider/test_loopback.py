"""The server as an HTTP server: limits, odd requests, many at once, and its end."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pydantic_ai_history_repair.strict_provider import ApiName, Text, WireViolation, strict_provider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_ai_history_repair.strict_provider import StrictProvider

BODY = json.dumps({'model': 'm', 'max_tokens': 9, 'messages': [{'role': 'user', 'content': 'Hi'}]}).encode()

PATHS: dict[ApiName, str] = {
    'anthropic': '/v1/messages',
    'bedrock': '/model/amazon.nova-micro-v1%3A0/converse',
    'google': '/v1beta/models/gemini-2.5-flash:generateContent',
    'mistral': '/v1/chat/completions',
    'openai-chat': '/v1/chat/completions',
    'openai-responses': '/v1/responses',
}


def accepts(_api: str, _body: object, /, **_options: str | None) -> list[WireViolation]:
    return []


@pytest.fixture
def provider() -> Iterator[StrictProvider]:
    with strict_provider('anthropic', judge=accepts, max_body_bytes=1000) as provider:
        yield provider


def port_of(provider: StrictProvider) -> int:
    return int(provider.base_url.removeprefix('http://127.0.0.1:').partition('/')[0])


def speak(provider: StrictProvider, raw: bytes, *, end: bool = False) -> tuple[int, str]:
    """Sends bytes as they are; the answer's status, and everything until the server closes."""
    with socket.create_connection(('127.0.0.1', port_of(provider)), timeout=10) as client:
        client.sendall(raw)
        if end:
            client.shutdown(socket.SHUT_WR)
        answer = b''.join(iter(lambda: client.recv(65_536), b'')).decode()
    return int(answer.split(' ')[1]), answer


def post(provider: StrictProvider, path: str, body: bytes, method: str = 'POST') -> tuple[int, bytes]:
    client = http.client.HTTPConnection('127.0.0.1', port_of(provider), timeout=10)
    try:
        client.request(method, path, body)
        response = client.getresponse()
        return response.status, response.read()
    finally:
        client.close()


def our_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith('strict-provider')]


def test_two_hundred_at_once() -> None:
    """Of 200 requests at the same time none is lost, and each takes its own entry of the script."""
    everyone = threading.Barrier(200)
    with strict_provider('anthropic', judge=accepts, script=[Text(f'{n}') for n in range(200)]) as provider:

        def one(_: int) -> str:
            everyone.wait(timeout=30)
            status, body = post(provider, '/v1/messages', BODY)
            assert status == 200
            return json.loads(body)['content'][0]['text']

        with ThreadPoolExecutor(200) as pool:
            texts = list(pool.map(one, range(200)))
        assert sorted(map(int, texts)) == list(range(200))
        assert [request.status for request in provider.requests] == [200] * 200


def test_connection_is_kept(provider: StrictProvider) -> None:
    """A client may ask again on the same connection, after an answer as well as after a refusal by status."""
    client = http.client.HTTPConnection('127.0.0.1', port_of(provider), timeout=10)
    statuses: list[int] = []
    for path in ('/v1/messages', '/nowhere', '/v1/messages'):
        client.request('POST', path, BODY)
        response = client.getresponse()
        response.read()
        statuses.append(response.status)
    client.close()
    assert statuses == [200, 404, 200]
    assert our_threads().count('strict-provider-connection') <= 1


@pytest.mark.parametrize('api', get_args(ApiName))
def test_malformed_json(api: ApiName) -> None:
    """A body that is no JSON object gets the provider's 400."""
    with strict_provider(api, judge=accepts) as provider:
        for body in (
            b'',
            b'{',
            b'[1]',
            b'"text"',
            b'\xff\xfe',
            b'{"n": NaN}',
            '{}'.encode('utf-16'),
            b'[' * 100_000,
            b'{"n": ' + b'1' * 9_999,
        ):
            status, answer = post(provider, PATHS[api], body)
            assert status == 400, body[:10]
            assert 'JSON' in json.dumps(json.loads(answer))
        assert {request.body is None for request in provider.requests} == {True}


def test_deep_json_under_a_recursive_judge() -> None:
    """A body that is nested deeper than the judge can follow is refused like one that cannot be parsed."""

    def descends(_api: str, body: object, /, **_options: str | None) -> list[WireViolation]:
        return descends(_api, body)

    with strict_provider('anthropic', judge=descends) as provider:
        assert post(provider, '/v1/messages', BODY)[0] == 400


@pytest.mark.parametrize('api', get_args(ApiName))
def test_unknown_path(api: ApiName) -> None:
    """A path that the API does not have is a 404 in the provider's envelope."""
    with strict_provider(api, judge=accepts) as provider:
        status, answer = post(provider, '/v1/nowhere?x=1', BODY)
        assert status == 404
        assert 'No such path: /v1/nowhere' in json.dumps(json.loads(answer))
        [request] = provider.requests
        assert (request.path, request.status) == ('/v1/nowhere?x=1', 404)


@pytest.mark.parametrize('method', ['GET', 'PUT', 'BREW'])
def test_other_method(provider: StrictProvider, method: str) -> None:
    """Only POST is served."""
    status, answer = post(provider, '/v1/messages', b'', method)
    assert status == 405
    assert json.loads(answer)['type'] == 'error'
    assert provider.requests[0].method == method


def test_head_has_no_body(provider: StrictProvider) -> None:
    """The answer to HEAD is headers only."""
    _, answer = speak(provider, b'HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n')
    assert answer.startswith('HTTP/1.1 404 ')
    assert answer.endswith('\r\n\r\n')


def test_oversized_body(provider: StrictProvider) -> None:
    """A body over the limit is refused with 413, also to a client that sends all of it before it reads."""
    status, answer = post(provider, '/v1/messages', b' ' * 5_000_000)
    assert status == 413
    assert json.loads(answer)['error'] == {
        'type': 'request_too_large',
        'message': 'Request body exceeds the maximum of 1000 bytes.',
    }
    assert provider.requests[0].status == 413


def test_oversized_body_without_end(provider: StrictProvider) -> None:
    """A client that announces too much gets its answer without sending, and keeps no thread busy for long."""
    status, _ = speak(provider, b'POST /v1/messages HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n')
    assert status == 413


def test_lingering_ends(provider: StrictProvider, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so much of a refused body is thrown away: then the connection ends while the client still sends."""
    monkeypatch.setattr('pydantic_ai_history_repair.strict_provider._loopback._LINGER_READS', 1)
    with socket.create_connection(('127.0.0.1', port_of(provider)), timeout=10) as client:
        client.sendall(b'POST /v1/messages HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n')
        with pytest.raises(ConnectionError):
            client.sendall(b' ' * 50_000_000)


def test_chunked_body(provider: StrictProvider) -> None:
    """A chunked body is put together, trailers and extensions and all."""
    half = len(BODY) // 2
    chunks = b'%x;a=b\r\n%b\r\n%X\r\n%b\r\n0\r\nTrailer: x\r\n\r\n' % (half, BODY[:half], len(BODY) - half, BODY[half:])
    head = b'POST /v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n'
    assert speak(provider, head + chunks)[0] == 200
    assert provider.requests[0].body == json.loads(BODY)


@pytest.mark.parametrize(
    ('headers', 'body', 'status'),
    [
        ('Content-Length: many', b'', 400),
        ('Content-Length: -1', b'', 400),
        ('Content-Length: 10', b'{}', 400),
        ('Transfer-Encoding: chunked', b'-5\r\n{}', 400),
        ('Transfer-Encoding: chunked', b'\r\n', 400),
        ('Transfer-Encoding: chunked', b'2\r\n{}\r\n3e8\r\n' + b' ' * 1000, 413),
    ],
)
def test_broken_framing(provider: StrictProvider, headers: str, body: bytes, status: int) -> None:
    """A body whose length is a lie is refused, and the connection is closed."""
    head = f'POST /v1/messages HTTP/1.1\r\n{headers}\r\n\r\n'.encode()
    assert speak(provider, head + body, end=True)[0] == status


@pytest.mark.parametrize('line', [b'nonsense\r\n\r\n', b'GET / HTTP/9.9\r\n\r\n', b'GET /' + b'x' * 70_000])
def test_no_http(provider: StrictProvider, line: bytes) -> None:
    """What is no HTTP is refused in the provider's envelope too, not with an HTML page."""
    status, answer = speak(provider, line)
    assert 400 <= status < 600
    assert json.loads(answer.partition('\r\n\r\n')[2])['type'] == 'error'


def test_stream_to_an_old_client(provider: StrictProvider) -> None:
    """HTTP/1.0 has no chunks: the stream comes as one body."""
    body = json.dumps({**json.loads(BODY), 'stream': True}).encode()
    _, answer = speak(provider, b'POST /v1/messages HTTP/1.0\r\nContent-Length: %d\r\n\r\n%b' % (len(body), body))
    head, _, events = answer.partition('\r\n\r\n')
    assert 'chunked' not in head
    assert events.startswith('event: message_start\n')
    assert events.endswith('data: {"type":"message_stop"}\n\n')


def test_client_that_leaves(provider: StrictProvider, capfd: pytest.CaptureFixture[str]) -> None:
    """A client that hangs up in the middle disturbs nobody."""
    with socket.create_connection(('127.0.0.1', port_of(provider))) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b'\1\0\0\0\0\0\0\0')
        client.sendall(b'POST /v1/messages HTTP/1.1\r\nContent-Length: 500\r\n\r\n{')
    assert post(provider, '/v1/messages', BODY)[0] == 200
    assert capfd.readouterr() == ('', '')


def test_end_frees_port_and_threads() -> None:
    """On exit the port is free again and no thread is left, whatever clients still hold open."""
    with strict_provider('anthropic', judge=accepts) as provider:
        port = port_of(provider)
        idle = http.client.HTTPConnection('127.0.0.1', port, timeout=10)
        idle.request('POST', '/v1/messages', BODY)
        idle.getresponse().read()
        silent = socket.create_connection(('127.0.0.1', port), timeout=10)
        half = socket.create_connection(('127.0.0.1', port), timeout=10)
        half.sendall(b'POST /v1/messages HTTP/1.1\r\nContent-Length: 500\r\n\r\n{')
        deadline = time.monotonic() + 10
        while our_threads().count('strict-provider-connection') < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert our_threads() == []
    assert silent.recv(1) == b''
    for client in (idle, silent, half):
        client.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(('127.0.0.1', port), timeout=10)
    with strict_provider('anthropic', judge=accepts, port=port) as provider:
        assert port_of(provider) == port


def test_loopback_only(provider: StrictProvider) -> None:
    """Other addresses of the machine, even other loopback ones, do not reach it."""
    with pytest.raises(OSError, match=r'refused|timed out|assign'):
        socket.create_connection(('127.0.0.2', port_of(provider)), timeout=1)


def test_taken_port(provider: StrictProvider) -> None:
    """A port that is in use is an error at the start, and leaves no thread behind."""
    threads = our_threads()
    with pytest.raises(OSError, match='in use'):
        strict_provider('anthropic', judge=accepts, port=port_of(provider)).__enter__()
    assert our_threads() == threads


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
asked = st.sampled_from(['contents', 'include', 'input', 'messages', 'model', 'stream', 'stream_options', 'tools'])
json_bodies = (json_values | st.dictionaries(asked, json_values)).map(lambda value: json.dumps(value).encode())


@pytest.fixture(scope='module')
def all_providers() -> Iterator[dict[ApiName, tuple[StrictProvider, http.client.HTTPConnection]]]:
    providers = {api: strict_provider(api) for api in PATHS}
    clients: dict[ApiName, tuple[StrictProvider, http.client.HTTPConnection]] = {}
    for api in PATHS:
        provider = providers[api].__enter__()
        clients[api] = provider, http.client.HTTPConnection('127.0.0.1', port_of(provider), timeout=10)
    yield clients
    for provider, client in clients.values():
        client.close()
        provider.__exit__(None, None, None)


@settings(max_examples=200, deadline=None)
@given(api=st.sampled_from(get_args(ApiName)), body=st.binary(max_size=200) | json_bodies)
def test_any_body_is_answered(
    all_providers: dict[ApiName, tuple[StrictProvider, http.client.HTTPConnection]], api: ApiName, body: bytes
) -> None:
    """Any bytes and any JSON get an answer or a refusal of the 400 family: no traceback, no hang, no 500."""
    provider, client = all_providers[api]
    client.request('POST', PATHS[api], body)
    response = client.getresponse()
    answer = response.read()
    assert response.status == 200 or 400 <= response.status < 500, answer
    assert b'Traceback' not in answer
    assert provider.requests[-1].status == response.status
