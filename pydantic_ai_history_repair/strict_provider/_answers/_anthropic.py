"""Answers of the Anthropic Messages API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_ai_history_repair.strict_provider._script import Part, Text, Thinking, Turn

from ._wire_api import Endpoint, JsonObject, WireApi, json_text, sse

if TYPE_CHECKING:
    from collections.abc import Iterator

_ERROR_TYPES = {
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
}


def _block(turn: Turn, index: int, part: Part) -> JsonObject:
    if isinstance(part, Text):
        return {'type': 'text', 'text': part.text}
    if isinstance(part, Thinking):
        return {'type': 'thinking', 'thinking': part.text, 'signature': part.signature or ''}
    call_id = turn.call_id(index, part, 'toolu_')
    return {'type': 'tool_use', 'id': call_id, 'name': part.name, 'input': dict(part.args)}


def _message(turn: Turn) -> JsonObject:
    return {
        'id': f'msg_{turn.serial:06d}',
        'type': 'message',
        'role': 'assistant',
        'model': turn.model,
        'content': [_block(turn, index, part) for index, part in enumerate(turn.parts)],
        'stop_reason': 'tool_use' if turn.calls_tools else 'end_turn',
        'stop_sequence': None,
        'usage': {
            'input_tokens': turn.input_tokens,
            'cache_creation_input_tokens': 0,
            'cache_read_input_tokens': 0,
            'output_tokens': turn.output_tokens,
        },
    }


def _named(event: JsonObject) -> bytes:
    return sse(event, event['type'])


def _events(turn: Turn) -> Iterator[bytes]:
    message = _message(turn)
    ending = {'stop_reason': message['stop_reason'], 'stop_sequence': None}
    opening: JsonObject = {
        **message,
        'content': [],
        'stop_reason': None,
        'usage': {**message['usage'], 'output_tokens': 1},
    }
    yield _named({'type': 'message_start', 'message': opening})
    yield _named({'type': 'ping'})
    for index, block in enumerate(message['content']):
        empty, deltas = _taken_apart(block)
        yield _named({'type': 'content_block_start', 'index': index, 'content_block': empty})
        for delta in deltas:
            yield _named({'type': 'content_block_delta', 'index': index, 'delta': delta})
        yield _named({'type': 'content_block_stop', 'index': index})
    yield _named({'type': 'message_delta', 'delta': ending, 'usage': {'output_tokens': turn.output_tokens}})
    yield _named({'type': 'message_stop'})


def _taken_apart(block: JsonObject) -> tuple[JsonObject, list[JsonObject]]:
    """A block as it opens, and what then fills it."""
    match block['type']:
        case 'text':
            return {**block, 'text': ''}, [{'type': 'text_delta', 'text': block['text']}]
        case 'thinking':
            deltas = [
                {'type': 'thinking_delta', 'thinking': block['thinking']},
                {'type': 'signature_delta', 'signature': block['signature']},
            ]
            return {**block, 'thinking': '', 'signature': ''}, deltas
        case _:
            return {**block, 'input': {}}, [{'type': 'input_json_delta', 'partial_json': json_text(block['input'])}]


def _error(status: int, message: str) -> JsonObject:
    kind = _ERROR_TYPES.get(status, 'api_error' if status >= 500 else 'invalid_request_error')
    return {'type': 'error', 'error': {'type': kind, 'message': message}, 'request_id': 'req_strict_provider'}


ANTHROPIC = WireApi(
    base_path='',
    endpoints=(
        Endpoint(pattern=re.compile(r'/messages$'), gives='as-asked'),
        Endpoint(pattern=re.compile(r'/messages/count_tokens$'), gives='token-count'),
    ),
    completion=_message,
    events=_events,
    error=_error,
    error_headers=lambda _status: {'request-id': 'req_strict_provider'},
    malformed_json='The request body is not valid JSON.',
)
