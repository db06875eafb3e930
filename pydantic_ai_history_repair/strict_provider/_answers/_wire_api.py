"""What the server has to know about an API to speak it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator, Mapping

    from pydantic_ai_history_repair.strict_provider._script import Turn

JsonObject: TypeAlias = dict[str, Any]

CREATED = 1_735_689_600
"""Every answer was made on 1 January 2025: the same script gives the same bytes."""


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """A path that is served, and what a client gets there."""

    pattern: re.Pattern[str]
    """Searched in the path without its query; a group `model` is the model's name, percent-encoded."""

    gives: Literal['as-asked', 'completion', 'stream', 'token-count']
    """What comes back; `as-asked` is a stream when the body says `"stream": true`, else a completion."""


@dataclass(frozen=True, kw_only=True)
class WireApi:
    """An API's paths, answers, stream events and error envelope."""

    base_path: str
    """What the API's own SDK expects at the end of its base URL."""

    endpoints: tuple[Endpoint, ...]

    completion: Callable[[Turn], JsonObject]

    events: Callable[[Turn], Iterator[bytes]]
    """The stream's events, framed."""

    event_type: str = 'text/event-stream; charset=utf-8'

    token_count: Callable[[int], JsonObject] = field(default=lambda tokens: {'input_tokens': tokens})

    error: Callable[[int, str], JsonObject]
    """The error envelope for a status and a text."""

    error_headers: Callable[[int], Mapping[str, str]] = field(default=lambda _status: {})

    malformed_json: str
    """What the provider says about a body that is no JSON object."""


def json_text(value: object) -> str:
    """Compact JSON in ASCII: also a lone surrogate that came in can go out again."""
    return json.dumps(value, separators=(',', ':'))


def sse(data: object, event: str | None = None) -> bytes:
    """A server-sent event, named for the APIs that name theirs."""
    name = '' if event is None else f'event: {event}\n'
    return f'{name}data: {json_text(data)}\n\n'.encode()
