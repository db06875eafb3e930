"""The command `serve`."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import pytest

from pydantic_ai_history_repair._cli import serve

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = """
import argparse
from pydantic_ai_history_repair._cli import serve
parser = argparse.ArgumentParser()
serve.configure(parser)
raise SystemExit(serve.run(parser.parse_args()))
"""

GOOD = b'{"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}'
BAD = b"""{"model": "claude-sonnet-4-5", "max_tokens": 9, "tools": [{"name": "now", "input_schema": {"type": "object"}}], "messages": [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "now", "input": {}}]},
    {"role": "user", "content": "Well?"}
]}"""


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    serve.configure(parser)
    return parser.parse_args(arguments)


def test_process() -> None:
    """The process prints its URL, then a line per request, and ends with code 0 and in silence on Ctrl-C."""
    with subprocess.Popen(
        [sys.executable, '-c', PROGRAM, '--port', '0'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            first = process.stdout.readline()
            assert first.startswith('anthropic on http://127.0.0.1:')
            url = first.split()[2]
            with urllib.request.urlopen(f'{url}/v1/messages', GOOD, timeout=10) as response:
                assert response.status == 200
            assert process.stdout.readline() == '200  POST  /v1/messages\n'
            with pytest.raises(urllib.error.HTTPError, match='400') as caught:
                urllib.request.urlopen(f'{url}/v1/messages?beta=true', BAD, timeout=10)
            caught.value.close()
            assert process.stdout.readline() == (
                '400  POST  /v1/messages?beta=true  anthropic-call-without-result at /messages/1/content/0\n'
            )
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=10) == 0
            assert process.stderr.read() == ''
        finally:
            process.kill()


def test_interrupt(capsys: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends it with code 0, the port free and the requests printed without control characters."""
    with socket.create_server(('127.0.0.1', 0)) as taken:
        port = taken.getsockname()[1]

    def client() -> None:
        with socket.create_connection(('127.0.0.1', port), timeout=10) as connection:
            connection.sendall(b'GET /\x1b[31m HTTP/1.1\r\nConnection: close\r\n\r\n')
            while connection.recv(65_536):
                pass
        threading.Event().wait(0.3)  # the verdict is printed by then
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Timer(0.3, client)
    thread.start()
    assert serve.run(parsed(['--dialect', 'google', '--port', str(port)])) == 0
    thread.join()
    assert capsys.readouterr().out.splitlines()[1:] == ['404  GET  /\\x1b[31m']
    with socket.create_server(('127.0.0.1', port)):
        pass


def test_taken_port(capsys: pytest.CaptureFixture[str]) -> None:
    """A port in use is said in one line, with code 2."""
    with socket.create_server(('127.0.0.1', 0)) as taken:
        assert serve.run(parsed(['--port', str(taken.getsockname()[1])])) == 2
    assert 'in use' in capsys.readouterr().err


@pytest.mark.parametrize('arguments', [['--port', '70000'], ['--family', 'nobody']])
def test_wrong_option(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A port that is none and a family that is unknown are said in one line, with code 2."""
    assert serve.run(parsed(arguments)) == 2
    assert capsys.readouterr().err.startswith('serve: ')


def test_unknown_dialect(capsys: pytest.CaptureFixture[str]) -> None:
    """Only the six APIs are taken."""
    with pytest.raises(SystemExit):
        parsed(['--dialect', 'cohere'])
    assert 'openai-responses' in capsys.readouterr().err
