"""A provider on loopback: judges each request, answers as its script says, remembers what it saw."""

from __future__ import annotations

import json
import threading
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol, TypeAlias, cast
from urllib.parse import unquote

from ._answers import WIRE_APIS, Endpoint, JsonObject, json_text
from ._check import check_request
from ._loopback import Answer, LoopbackServer, Refusal
from ._script import Part, ProviderError, ScriptEntry, Text, Turn, estimate_tokens, parts_or_error, serial_mark

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from ._violations import WireViolation

ApiName: TypeAlias = Literal['anthropic', 'bedrock', 'google', 'mistral', 'openai-chat', 'openai-responses']

MAX_BODY_BYTES = 32 * 1024 * 1024
"""What Anthropic takes: https://platform.claude.com/docs/en/api/errors."""

_UNSCRIPTED: tuple[Part, ...] = (Text('OK'),)


class Judge(Protocol):
    """Says which rules a request body breaks, as `check_request` does."""

    def __call__(
        self, api: str, body: object, /, *, model: str | None = None, family: str | None = None
    ) -> list[WireViolation]:
        """The broken rules, the one that the provider names in front."""
        ...


@dataclass(frozen=True, kw_only=True)
class RecordedRequest:
    """A request that the provider saw, and how it was answered."""

    method: str

    path: str
    """As it was sent, with its query."""

    api: ApiName

    body: dict[str, Any] | None
    """The parsed JSON; `None` when there was no JSON object to read."""

    violations: tuple[WireViolation, ...]

    status: int


class StrictProvider:
    """A strict provider, made by `strict_provider`; it serves inside a `with` block.

    Everything on it may be used from any thread.
    """

    def __init__(
        self,
        api: ApiName,
        *,
        family: str | None = None,
        port: int = 0,
        script: Iterable[ScriptEntry] = (),
        max_body_bytes: int = MAX_BODY_BYTES,
        judge: Judge | None = None,
    ) -> None:
        if api not in WIRE_APIS:
            raise ValueError(f'`api` must be one of {", ".join(map(repr, WIRE_APIS))}, got {api!r}.')
        self.api: ApiName = api
        self.family = family
        self._wire = WIRE_APIS[api]
        self._port = port
        self._max_body_bytes = max_body_bytes
        self._judge = judge or _check_request(api, family)
        self._script = deque(parts_or_error(entry) for entry in script)
        self._requests: list[RecordedRequest] = []
        self._serial = 0
        self._lock = threading.Lock()
        self._server: LoopbackServer | None = None

    def __enter__(self) -> StrictProvider:
        if self._server is not None:
            raise RuntimeError('This strict provider serves already: make another one.')
        self._server = LoopbackServer(self._port, self._respond, max_body_bytes=self._max_body_bytes)
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    @property
    def base_url(self) -> str:
        """What the API's own SDK takes as base URL, such as `'http://127.0.0.1:54321/v1'`."""
        if self._server is None:
            raise RuntimeError('The strict provider does not serve: use it in a `with` block.')
        return f'http://127.0.0.1:{self._server.port}{self._wire.base_path}'

    @property
    def requests(self) -> list[RecordedRequest]:
        """Every request so far, in the order of the answers; a copy."""
        with self._lock:
            return list(self._requests)

    def respond_with(self, *entries: ScriptEntry) -> None:
        """Queues answers behind those not given yet.

        Only a request without violations takes one. When none is left the answer is the text `OK`.
        """
        queued = [parts_or_error(entry) for entry in entries]
        with self._lock:
            self._script.extend(queued)

    def _respond(self, method: str, path: str, raw: bytes | Refusal) -> Answer:
        body: JsonObject | None = None
        violations: tuple[WireViolation, ...] = ()
        try:
            endpoint, model = self._endpoint(method, path)
            if isinstance(raw, Refusal):
                raise raw
            body = self._parsed(raw)
            violations = tuple(self._judge(self.api, body, model=model, family=self.family))
            if violations:
                answer = self._error(violations[0].status, violations[0].provider_error)
            elif endpoint.gives == 'token-count':
                answer = self._json(self._wire.token_count(estimate_tokens(len(raw))))
            else:
                answer = self._scripted(endpoint, model, path, body, raw)
        except Refusal as refusal:
            answer = self._error(refusal.status, refusal.message)
        except RecursionError:
            answer = self._error(400, self._wire.malformed_json)
        except Exception as error:  # a bug in here or in a judge: told to the client, whose process it must not disturb
            answer = self._error(500, f'The strict provider itself failed: {type(error).__name__}: {error}')
        seen = RecordedRequest(
            method=method, path=path, api=self.api, body=body, violations=violations, status=answer.status
        )
        with self._lock:
            self._requests.append(seen)
        return answer

    def _endpoint(self, method: str, path: str) -> tuple[Endpoint, str | None]:
        bare_path = path.partition('?')[0]
        for endpoint in self._wire.endpoints:
            if match := endpoint.pattern.search(bare_path):
                if method != 'POST':
                    raise Refusal(405, f'Method {method} is not allowed here.')
                model = match.groupdict().get('model')
                return endpoint, None if model is None else unquote(model)
        raise Refusal(404, f'No such path: {bare_path}')

    def _parsed(self, raw: bytes) -> JsonObject:
        try:
            body = json.loads(raw.decode(), parse_constant=_no_json)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            raise Refusal(400, self._wire.malformed_json)
        return cast('JsonObject', body)

    def _scripted(self, endpoint: Endpoint, model: str | None, path: str, body: JsonObject, raw: bytes) -> Answer:
        with self._lock:
            self._serial += 1
            serial = self._serial
            parts = self._script.popleft() if self._script else _UNSCRIPTED
        if isinstance(parts, ProviderError):
            return self._error(parts.status, parts.message, parts.body)
        while serial_mark(serial).encode() in raw:  # a history that another provider began may hold its ids
            serial += 1
        turn = Turn(
            parts=parts,
            serial=serial,
            model=model or str(body.get('model', '')),
            path=path,
            body=body,
            input_tokens=estimate_tokens(len(raw)),
        )
        if endpoint.gives == 'stream' or (endpoint.gives == 'as-asked' and body.get('stream') is True):
            return Answer(
                status=200, content_type=self._wire.event_type, chunks=tuple(self._wire.events(turn)), streamed=True
            )
        return self._json(self._wire.completion(turn))

    def _error(self, status: int, message: str, body: Any = None) -> Answer:
        body = self._wire.error(status, message) if body is None else body
        return Answer(
            status=status,
            content_type='application/json',
            chunks=(json_text(body).encode(),),
            headers=self._wire.error_headers(status),
        )

    def _json(self, body: JsonObject) -> Answer:
        return Answer(status=200, content_type='application/json', chunks=(json_text(body).encode(),))


def strict_provider(
    api: ApiName,
    *,
    family: str | None = None,
    port: int = 0,
    script: Iterable[ScriptEntry] = (),
    max_body_bytes: int = MAX_BODY_BYTES,
    judge: Judge | None = None,
) -> StrictProvider:
    """A provider on 127.0.0.1 that answers as strictly as the real one.

    ```python
    from pydantic_ai_history_repair.strict_provider import Text, ToolCall, strict_provider

    with strict_provider('anthropic', script=[ToolCall('get_weather', {'city': 'Paris'}), Text('Sunny.')]) as provider:
        print(provider.base_url.rpartition(':')[0])
        #> http://127.0.0.1
    ```

    Args:
        api: The wire API to serve.
        family: The model family whose extra rules hold, such as `'deepseek'`; `None` goes by the model's name.
        port: The port; 0 takes a free one.
        script: What to answer to the requests that break no rule, in order.
        max_body_bytes: A longer body is refused with status 413 without being read.
        judge: What finds the broken rules; `None` is `check_request`.
    """
    return StrictProvider(api, family=family, port=port, script=script, max_body_bytes=max_body_bytes, judge=judge)


def _check_request(api: ApiName, family: str | None) -> Judge:
    check_request(api, {}, family=family)  # an unknown family is an error here, not in each answer to a client
    return check_request


def _no_json(constant: str) -> NoReturn:
    raise ValueError(f'{constant} is not JSON')
