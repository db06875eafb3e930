"""Answers of Gemini's `generateContent`, on the Gemini API and on Vertex AI."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_ai_history_repair.strict_provider._script import DEFAULT_SIGNATURE, Text, Thinking

from ._wire_api import Endpoint, JsonObject, WireApi, sse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_ai_history_repair.strict_provider._script import Part, Turn

_STATUS_NAMES = {
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    429: 'RESOURCE_EXHAUSTED',
    500: 'INTERNAL',
    503: 'UNAVAILABLE',
    504: 'DEADLINE_EXCEEDED',
}


def _part(turn: Turn, index: int, part: Part) -> JsonObject:
    if isinstance(part, Text):
        return {'text': part.text}
    if isinstance(part, Thinking):
        return {'text': part.text, 'thought': True}
    call: JsonObject = {'name': part.name, 'args': dict(part.args), 'id': turn.call_id(index, part, '')}
    return {'functionCall': call}


def _parts(turn: Turn) -> list[JsonObject]:
    """The turn's parts, with the signature where Gemini puts it.

    The first call of a step carries it, with or without a visible thought; a turn without calls carries it on the
    text after a thought.
    """
    parts = [_part(turn, index, part) for index, part in enumerate(turn.parts)]
    thoughts = [part for part in turn.parts if isinstance(part, Thinking)]
    signature = thoughts[0].signature if thoughts else DEFAULT_SIGNATURE
    calls = [part for part in parts if 'functionCall' in part]
    texts = [part for part in parts if thoughts and 'text' in part and 'thought' not in part]
    if signature is not None and (carriers := calls or texts):
        carriers[0]['thoughtSignature'] = signature
    return parts


def _response(turn: Turn, parts: list[JsonObject], *, last: bool) -> JsonObject:
    candidate: JsonObject = {'content': {'parts': parts, 'role': 'model'}, 'index': 0}
    if last:
        candidate['finishReason'] = 'STOP'
    return {
        'candidates': [candidate],
        'usageMetadata': {
            'promptTokenCount': turn.input_tokens,
            'candidatesTokenCount': turn.output_tokens,
            'totalTokenCount': turn.input_tokens + turn.output_tokens,
        },
        'modelVersion': turn.model,
        'responseId': f'strict{turn.serial:06d}',
    }


def _events(turn: Turn) -> Iterator[bytes]:
    parts = _parts(turn)
    for part in parts[:-1]:
        yield sse(_response(turn, [part], last=False))
    yield sse(_response(turn, parts[-1:], last=True))


def _error(status: int, message: str) -> JsonObject:
    return {'error': {'code': status, 'message': message, 'status': _STATUS_NAMES.get(status, 'INVALID_ARGUMENT')}}


GOOGLE = WireApi(
    base_path='',
    endpoints=(
        Endpoint(pattern=re.compile(r'/models/(?P<model>[^/:]+):generateContent$'), gives='completion'),
        Endpoint(pattern=re.compile(r'/models/(?P<model>[^/:]+):streamGenerateContent$'), gives='stream'),
        Endpoint(pattern=re.compile(r'/models/(?P<model>[^/:]+):countTokens$'), gives='token-count'),
    ),
    completion=lambda turn: _response(turn, _parts(turn), last=True),
    events=_events,
    token_count=lambda tokens: {'totalTokens': tokens},
    error=_error,
    malformed_json='Invalid JSON payload received.',
)
