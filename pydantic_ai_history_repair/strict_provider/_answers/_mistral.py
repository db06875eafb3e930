"""Answers of Mistral's chat API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_ai_history_repair.strict_provider._script import Text, Thinking, ToolCall

from ._wire_api import CREATED, Endpoint, JsonObject, WireApi, json_text, sse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_ai_history_repair.strict_provider._script import Turn


def _content(turn: Turn) -> str | list[JsonObject]:
    """Text as a string, chunks as soon as there is a thought among it."""
    parts = [part for part in turn.parts if not isinstance(part, ToolCall)]
    if any(isinstance(part, Thinking) for part in parts):
        return [_chunk(part) for part in parts]
    return ''.join(part.text for part in parts)


def _chunk(part: Text | Thinking) -> JsonObject:
    text = {'type': 'text', 'text': part.text}
    return text if isinstance(part, Text) else {'type': 'thinking', 'thinking': [text], 'closed': True}


def _calls(turn: Turn) -> list[JsonObject]:
    calls = [(index, part) for index, part in enumerate(turn.parts) if isinstance(part, ToolCall)]
    return [
        {
            'id': turn.call_id(index, call, ''),
            'index': position,
            'function': {'name': call.name, 'arguments': json_text(dict(call.args))},
        }
        for position, (index, call) in enumerate(calls)
    ]


def _frame(turn: Turn, kind: str, choice: JsonObject) -> JsonObject:
    return {
        'id': f'{turn.serial:032x}',
        'object': kind,
        'created': CREATED,
        'model': turn.model,
        'choices': [{'index': 0, **choice}],
    }


def _ending(turn: Turn) -> tuple[str, JsonObject]:
    usage = {
        'prompt_tokens': turn.input_tokens,
        'completion_tokens': turn.output_tokens,
        'total_tokens': turn.input_tokens + turn.output_tokens,
    }
    return 'tool_calls' if turn.calls_tools else 'stop', usage


def _completion(turn: Turn) -> JsonObject:
    finish_reason, usage = _ending(turn)
    message = {'role': 'assistant', 'content': _content(turn), 'tool_calls': _calls(turn) or None}
    choice = {'message': message, 'finish_reason': finish_reason}
    return {**_frame(turn, 'chat.completion', choice), 'usage': usage}


def _events(turn: Turn) -> Iterator[bytes]:
    def chunk(delta: JsonObject, finish_reason: str | None = None) -> JsonObject:
        return _frame(turn, 'chat.completion.chunk', {'delta': delta, 'finish_reason': finish_reason})

    yield sse(chunk({'role': 'assistant', 'content': ''}))
    if content := _content(turn):
        yield sse(chunk({'content': content}))
    finish_reason, usage = _ending(turn)
    last: JsonObject = {'content': ''}
    if calls := _calls(turn):
        last['tool_calls'] = calls
    yield sse({**chunk(last, finish_reason), 'usage': usage})
    yield b'data: [DONE]\n\n'


def _error(status: int, message: str) -> JsonObject:
    if status == 422:
        return {'detail': [{'type': 'value_error', 'loc': ['body'], 'msg': message}]}
    kind = 'service_unavailable' if status >= 500 else 'rate_limited' if status == 429 else 'invalid_request_error'
    return {'object': 'error', 'message': message, 'type': kind, 'param': None, 'code': None}


MISTRAL = WireApi(
    base_path='',
    endpoints=(Endpoint(pattern=re.compile(r'/chat/completions$'), gives='as-asked'),),
    completion=_completion,
    events=_events,
    error=_error,
    malformed_json='The request body is not valid JSON.',
)
