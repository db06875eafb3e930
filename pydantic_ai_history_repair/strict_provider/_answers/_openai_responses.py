"""Answers of OpenAI's Responses API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic_ai_history_repair.strict_provider._script import Text, Thinking

from ._openai_error import openai_error
from ._wire_api import CREATED, Endpoint, JsonObject, WireApi, json_text, sse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_ai_history_repair.strict_provider._script import Part, Turn


def _wants_encrypted(turn: Turn) -> bool:
    include = turn.body.get('include')
    return isinstance(include, list) and 'reasoning.encrypted_content' in include


def _item(turn: Turn, index: int, part: Part) -> JsonObject:
    if isinstance(part, Text):
        text: JsonObject = {'type': 'output_text', 'text': part.text, 'annotations': [], 'logprobs': []}
        return {
            'id': f'msg_{turn.part_id(index)}',
            'type': 'message',
            'role': 'assistant',
            'status': 'completed',
            'content': [text],
        }
    if isinstance(part, Thinking):
        return {
            'id': f'rs_{turn.part_id(index)}',
            'type': 'reasoning',
            'summary': [{'type': 'summary_text', 'text': part.text}],
            'encrypted_content': part.signature if _wants_encrypted(turn) else None,
        }
    return {
        'id': f'fc_{turn.part_id(index)}',
        'type': 'function_call',
        'status': 'completed',
        'call_id': turn.call_id(index, part, 'call_'),
        'name': part.name,
        'arguments': json_text(dict(part.args)),
    }


def _response(turn: Turn) -> JsonObject:
    body = turn.body
    return {
        'id': f'resp_{turn.serial:06d}',
        'object': 'response',
        'created_at': CREATED,
        'status': 'completed',
        'error': None,
        'incomplete_details': None,
        'instructions': body.get('instructions'),
        'metadata': {},
        'model': turn.model,
        'output': [_item(turn, index, part) for index, part in enumerate(turn.parts)],
        'parallel_tool_calls': True,
        'previous_response_id': body.get('previous_response_id'),
        'store': body.get('store', True),
        'tool_choice': body.get('tool_choice', 'auto'),
        'tools': body.get('tools', []),
        'usage': {
            'input_tokens': turn.input_tokens,
            'input_tokens_details': {'cached_tokens': 0},
            'output_tokens': turn.output_tokens,
            'output_tokens_details': {'reasoning_tokens': 0},
            'total_tokens': turn.input_tokens + turn.output_tokens,
        },
    }


def _events(turn: Turn) -> Iterator[bytes]:
    for number, event in enumerate(_unnumbered(turn)):
        yield sse({**event, 'sequence_number': number}, event['type'])


def _unnumbered(turn: Turn) -> Iterator[JsonObject]:
    response = _response(turn)
    opening: JsonObject = {**response, 'status': 'in_progress', 'output': [], 'usage': None}
    yield {'type': 'response.created', 'response': opening}
    yield {'type': 'response.in_progress', 'response': opening}
    for index, item in enumerate(response['output']):
        empty, inner = _taken_apart(item)
        yield {'type': 'response.output_item.added', 'output_index': index, 'item': empty}
        for event in inner:
            yield {**event, 'item_id': item['id'], 'output_index': index}
        yield {'type': 'response.output_item.done', 'output_index': index, 'item': item}
    yield {'type': 'response.completed', 'response': response}


def _taken_apart(item: JsonObject) -> tuple[JsonObject, list[JsonObject]]:
    """An item as it opens, and the events that then fill it."""
    match item['type']:
        case 'message':
            [part] = item['content']
            at = {'content_index': 0}
            return {**item, 'status': 'in_progress', 'content': []}, [
                {'type': 'response.content_part.added', **at, 'part': {**part, 'text': ''}},
                {'type': 'response.output_text.delta', **at, 'delta': part['text'], 'logprobs': []},
                {'type': 'response.output_text.done', **at, 'text': part['text'], 'logprobs': []},
                {'type': 'response.content_part.done', **at, 'part': part},
            ]
        case 'reasoning':
            [part] = item['summary']
            at = {'summary_index': 0}
            return {**item, 'summary': []}, [
                {'type': 'response.reasoning_summary_part.added', **at, 'part': {**part, 'text': ''}},
                {'type': 'response.reasoning_summary_text.delta', **at, 'delta': part['text']},
                {'type': 'response.reasoning_summary_text.done', **at, 'text': part['text']},
                {'type': 'response.reasoning_summary_part.done', **at, 'part': part},
            ]
        case _:
            arguments = item['arguments']
            return {**item, 'status': 'in_progress', 'arguments': ''}, [
                {'type': 'response.function_call_arguments.delta', 'delta': arguments},
                {'type': 'response.function_call_arguments.done', 'name': item['name'], 'arguments': arguments},
            ]


OPENAI_RESPONSES = WireApi(
    base_path='/v1',
    endpoints=(
        Endpoint(pattern=re.compile(r'/responses$'), gives='as-asked'),
        Endpoint(pattern=re.compile(r'/responses/input_tokens$'), gives='token-count'),
    ),
    completion=_response,
    events=_events,
    token_count=lambda tokens: {'object': 'response.input_tokens', 'input_tokens': tokens},
    error=openai_error,
    malformed_json='We could not parse the JSON body of your request.',
)
