"""Answers of OpenAI's Chat Completions API, which Groq, DeepSeek and many others speak too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_ai_history_repair.strict_provider._script import Text, Thinking, ToolCall

from ._openai_error import openai_error
from ._wire_api import CREATED, Endpoint, JsonObject, WireApi, json_text, sse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_ai_history_repair.strict_provider._script import Part, Turn


def _is_groq(turn: Turn) -> bool:
    return '/openai/v1/' in turn.path


def _thinking_field(turn: Turn) -> str:
    """OpenAI itself shows no thoughts; who does took DeepSeek's name for them or, like Groq, the shorter one."""
    return 'reasoning' if _is_groq(turn) else 'reasoning_content'


def _call(turn: Turn, index: int, call: ToolCall) -> JsonObject:
    function = {'name': call.name, 'arguments': json_text(dict(call.args))}
    return {'id': turn.call_id(index, call, 'call_'), 'type': 'function', 'function': function}


def _message(turn: Turn) -> JsonObject:
    texts = [part.text for part in turn.parts if isinstance(part, Text)]
    thoughts = [part.text for part in turn.parts if isinstance(part, Thinking)]
    calls = [_call(turn, index, part) for index, part in enumerate(turn.parts) if isinstance(part, ToolCall)]
    message: JsonObject = {'role': 'assistant', 'content': ''.join(texts) if texts else None, 'refusal': None}
    if thoughts:
        message[_thinking_field(turn)] = ''.join(thoughts)
    if calls:
        message['tool_calls'] = calls
    return message


def _usage(turn: Turn) -> JsonObject:
    return {
        'prompt_tokens': turn.input_tokens,
        'completion_tokens': turn.output_tokens,
        'total_tokens': turn.input_tokens + turn.output_tokens,
    }


def _frame(turn: Turn, kind: str, choices: list[JsonObject]) -> JsonObject:
    return {
        'id': f'chatcmpl-{turn.serial:06d}',
        'object': kind,
        'created': CREATED,
        'model': turn.model,
        'choices': choices,
    }


def _finish_reason(turn: Turn) -> str:
    return 'tool_calls' if turn.calls_tools else 'stop'


def _completion(turn: Turn) -> JsonObject:
    choice = {'index': 0, 'message': _message(turn), 'logprobs': None, 'finish_reason': _finish_reason(turn)}
    return {**_frame(turn, 'chat.completion', [choice]), 'usage': _usage(turn)}


def _events(turn: Turn) -> Iterator[bytes]:
    def chunk(delta: JsonObject, finish_reason: str | None = None) -> JsonObject:
        choice = {'index': 0, 'delta': delta, 'logprobs': None, 'finish_reason': finish_reason}
        return _frame(turn, 'chat.completion.chunk', [choice])

    yield sse(chunk({'role': 'assistant', 'content': ''}))
    calls = 0
    for index, part in enumerate(turn.parts):
        for delta in _deltas(turn, index, part, calls):
            yield sse(chunk(delta))
        calls += isinstance(part, ToolCall)
    groq_usage: JsonObject = {'x_groq': {'usage': _usage(turn)}} if _is_groq(turn) else {}
    yield sse({**chunk({}, _finish_reason(turn)), **groq_usage})
    if _wants_usage(turn):
        yield sse({**_frame(turn, 'chat.completion.chunk', []), 'usage': _usage(turn)})
    yield b'data: [DONE]\n\n'


def _wants_usage(turn: Turn) -> bool:
    match turn.body.get('stream_options'):
        case {'include_usage': True}:
            return True
        case _:
            return False


def _deltas(turn: Turn, index: int, part: Part, calls: int) -> list[JsonObject]:
    if isinstance(part, Text):
        return [{'content': part.text}]
    if isinstance(part, Thinking):
        return [{_thinking_field(turn): part.text}]
    call: JsonObject = {'index': calls, **_call(turn, index, part)}
    arguments = call['function']['arguments']
    opening = {**call, 'function': {'name': part.name, 'arguments': ''}}
    filling: JsonObject = {'index': calls, 'function': {'arguments': arguments}}
    return [{'tool_calls': [opening]}, {'tool_calls': [filling]}]


OPENAI_CHAT = WireApi(
    base_path='/v1',
    endpoints=(Endpoint(pattern=re.compile(r'/chat/completions$'), gives='as-asked'),),
    completion=_completion,
    events=_events,
    error=openai_error,
    malformed_json='We could not parse the JSON body of your request.',
)
