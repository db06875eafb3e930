"""Answers of Bedrock's Converse API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_ai_history_repair.strict_provider._eventstream import CONTENT_TYPE, frame
from pydantic_ai_history_repair.strict_provider._script import Text, Thinking

from ._wire_api import Endpoint, JsonObject, WireApi, json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_ai_history_repair.strict_provider._script import Part, Turn

_EXCEPTIONS = {
    401: 'UnrecognizedClientException',
    403: 'AccessDeniedException',
    404: 'ResourceNotFoundException',
    424: 'ModelErrorException',
    429: 'ThrottlingException',
    503: 'ServiceUnavailableException',
}


def _block(turn: Turn, index: int, part: Part) -> JsonObject:
    if isinstance(part, Text):
        return {'text': part.text}
    if isinstance(part, Thinking):
        text: JsonObject = {'text': part.text}
        if part.signature is not None:
            text['signature'] = part.signature
        return {'reasoningContent': {'reasoningText': text}}
    call_id = turn.call_id(index, part, 'tooluse_')
    return {'toolUse': {'toolUseId': call_id, 'name': part.name, 'input': dict(part.args)}}


def _stop_reason(turn: Turn) -> str:
    return 'tool_use' if turn.calls_tools else 'end_turn'


def _accounts(turn: Turn) -> JsonObject:
    return {
        'usage': {
            'inputTokens': turn.input_tokens,
            'outputTokens': turn.output_tokens,
            'totalTokens': turn.input_tokens + turn.output_tokens,
        },
        'metrics': {'latencyMs': 1},
    }


def _completion(turn: Turn) -> JsonObject:
    content = [_block(turn, index, part) for index, part in enumerate(turn.parts)]
    message = {'role': 'assistant', 'content': content}
    return {'output': {'message': message}, 'stopReason': _stop_reason(turn), **_accounts(turn)}


def _event(kind: str, payload: JsonObject) -> bytes:
    return frame(kind, json_text(payload).encode())


def _events(turn: Turn) -> Iterator[bytes]:
    yield _event('messageStart', {'role': 'assistant'})
    for index, part in enumerate(turn.parts):
        where = {'contentBlockIndex': index}
        block = _block(turn, index, part)
        if call := block.get('toolUse'):
            opening = {'toolUseId': call['toolUseId'], 'name': call['name']}
            yield _event('contentBlockStart', {'start': {'toolUse': opening}, **where})
        for delta in _deltas(block):
            yield _event('contentBlockDelta', {'delta': delta, **where})
        yield _event('contentBlockStop', where)
    yield _event('messageStop', {'stopReason': _stop_reason(turn)})
    yield _event('metadata', _accounts(turn))


def _deltas(block: JsonObject) -> list[JsonObject]:
    if call := block.get('toolUse'):
        return [{'toolUse': {'input': json_text(call['input'])}}]
    if thought := block.get('reasoningContent'):
        return [{'reasoningContent': {key: value}} for key, value in thought['reasoningText'].items()]
    return [block]


def _exception(status: int) -> str:
    return _EXCEPTIONS.get(status, 'InternalServerException' if status >= 500 else 'ValidationException')


BEDROCK = WireApi(
    base_path='',
    endpoints=(
        Endpoint(pattern=re.compile(r'/model/(?P<model>[^/]+)/converse$'), gives='completion'),
        Endpoint(pattern=re.compile(r'/model/(?P<model>[^/]+)/converse-stream$'), gives='stream'),
    ),
    completion=_completion,
    events=_events,
    event_type=CONTENT_TYPE,
    error=lambda _status, message: {'message': message},
    error_headers=lambda status: {'x-amzn-ErrorType': _exception(status)},
    malformed_json='The request body is not valid JSON.',
)
