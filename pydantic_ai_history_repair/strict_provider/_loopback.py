"""HTTP on 127.0.0.1: bytes in, an answer out, and nothing left behind."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_CHUNK = 65_536
_LINGER_READS = 1_024
"""How many chunks of a refused body are thrown away, so that a client which sends before it reads sees the refusal."""
_LINGER_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A response: one body, or a stream of chunks."""

    status: int
    content_type: str
    chunks: tuple[bytes, ...]
    streamed: bool = False
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Refusal(Exception):
    """A request that is turned down before it is judged."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class LoopbackServer(TCPServer):
    """A thread per connection; `close` ends them all, also those a client keeps open."""

    allow_reuse_address = True
    request_queue_size = 512

    def __init__(
        self, port: int, respond: Callable[[str, str, bytes | Refusal], Answer], *, max_body_bytes: int
    ) -> None:
        self.respond = respond
        self.max_body_bytes = max_body_bytes
        self._connections: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()
        super().__init__(('127.0.0.1', port), _Connection)
        self._accepting = threading.Thread(target=self.serve_forever, args=(0.05,), name='strict-provider', daemon=True)
        self._accepting.start()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self.socket.getsockname()[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serves one connection in its own thread."""
        thread = threading.Thread(
            target=self._serve_connection,
            args=(request, client_address),
            name='strict-provider-connection',
            daemon=True,
        )
        with self._lock:
            self._connections[request] = thread
        thread.start()

    def _serve_connection(self, request: socket.socket, client_address: Any) -> None:
        try:
            with suppress(OSError):  # the client went away, or `close` cut it off
                self.finish_request(request, client_address)
        finally:
            with self._lock:
                del self._connections[request]
            self.shutdown_request(request)

    def close(self) -> None:
        """Frees the port, cuts open connections and waits for every thread."""
        self.shutdown()
        self._accepting.join()
        self.server_close()
        with self._lock:
            connections = dict(self._connections)
            for connection in connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in connections.values():
            thread.join()


class _Connection(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    default_request_version = 'HTTP/1.0'  # a request line that cannot be read still gets a status line back
    server_version = 'strict-provider'
    sys_version = ''
    disable_nagle_algorithm = True
    wbufsize = -1
    path = ''

    def _answer_post(self) -> None:
        try:
            body = self._body()
        except Refusal as refusal:
            self._refuse(refusal)
        else:
            self._send(self._owner.respond(self.command, self.path, body))

    do_DELETE = do_GET = do_HEAD = do_OPTIONS = do_PATCH = do_POST = do_PUT = _answer_post

    def finish(self) -> None:
        """Closes both files also when the client took nothing of what was still buffered."""
        with suppress(OSError):
            super().finish()
        self.rfile.close()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What `http.server` finds wrong goes out in the provider's envelope too, not as its HTML page."""
        status = 405 if code == HTTPStatus.NOT_IMPLEMENTED else code
        self._refuse(Refusal(int(status), message or HTTPStatus(status).phrase))

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: what was asked and answered is in the provider's `requests`."""

    @property
    def _owner(self) -> LoopbackServer:
        return cast('LoopbackServer', self.server)

    def _body(self) -> bytes:
        if 'chunked' in self.headers.get('Transfer-Encoding', '').lower():
            return self._chunked_body()
        declared = self.headers.get('Content-Length', '0').strip()
        if not (declared.isascii() and declared.isdigit()):
            raise Refusal(400, 'The Content-Length header is no number.')
        return self._read(int(declared))

    def _chunked_body(self) -> bytes:
        body = bytearray()
        while True:
            digits = self.rfile.readline(_CHUNK).split(b';')[0].strip()
            if not digits or digits.strip(b'0123456789abcdefABCDEF'):
                raise Refusal(400, 'A chunk of the body does not start with its size.')
            if (size := int(digits, 16)) == 0:
                break
            body += self._read(size, already=len(body))
            self.rfile.readline(_CHUNK)
        while self.rfile.readline(_CHUNK).strip():
            pass  # trailers say nothing about a JSON body
        return bytes(body)

    def _read(self, length: int, *, already: int = 0) -> bytes:
        limit = self._owner.max_body_bytes
        if already + length > limit:
            raise Refusal(413, f'Request body exceeds the maximum of {limit} bytes.')
        data = self.rfile.read(length)
        if len(data) < length:
            raise Refusal(400, 'The request body ends before its declared length.')
        return data

    def _refuse(self, refusal: Refusal) -> None:
        """Answers, then closes: the rest of what the client sends cannot be told from a new request."""
        self.close_connection = True
        self._send(self._owner.respond(self.command or '', self.path, refusal))
        self.wfile.flush()
        self.connection.settimeout(_LINGER_SECONDS)
        self.connection.shutdown(socket.SHUT_WR)
        for _ in range(_LINGER_READS):
            if not self.rfile.read1(_CHUNK):
                break

    def _send(self, answer: Answer) -> None:
        chunked = answer.streamed and self.request_version != 'HTTP/1.0'
        self.send_response(answer.status)
        self.send_header('Content-Type', answer.content_type)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if chunked:
            self.send_header('Transfer-Encoding', 'chunked')
        else:
            self.send_header('Content-Length', str(sum(map(len, answer.chunks))))
        if self.close_connection:
            self.send_header('Connection', 'close')
        self.end_headers()
        if self.command == 'HEAD':
            return
        for chunk in answer.chunks:
            self.wfile.write(b'%x\r\n%b\r\n' % (len(chunk), chunk) if chunked else chunk)
            self.wfile.flush()
        if chunked:
            self.wfile.write(b'0\r\n\r\n')
