"""OpenAI Responses, and the vendors that borrow it: which request bodies are refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ._json import Reader, bracketed, text_at
from ._wire_rules import openai_responses as rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._json import Misfit, Object, Path
    from ._violations import WireViolation

_REQUIRED_STRINGS = {
    'function_call': ('call_id', 'name', 'arguments'),
    'function_call_output': ('call_id',),
    'custom_tool_call': ('call_id', 'name', 'input'),
    'custom_tool_call_output': ('call_id',),
}
_ID_PREFIXES = {'function_call': 'fc', 'custom_tool_call': 'ctc', 'message': 'msg', 'reasoning': 'rs'}
_ELSEWHERE = ('previous_response_id', 'conversation', 'prompt')
"""Fields that bring in items which the body does not show."""
_UNANSWERED = {'deepseek': rules.DEEPSEEK_CALL_WITHOUT_OUTPUT, 'minimax': rules.MINIMAX_CALL_WITHOUT_OUTPUT}
_UNASKED = {'minimax': rules.MINIMAX_OUTPUT_WITHOUT_CALL}


@dataclass(frozen=True, kw_only=True)
class _Item:
    path: Path
    kind: str
    data: Object

    @property
    def id(self) -> str:
        return text_at(self.data, 'id')

    @property
    def call_id(self) -> str:
        return text_at(self.data, 'call_id')


@dataclass(frozen=True, kw_only=True)
class _Request:
    family: str
    items: list[_Item]
    complete: bool
    """Whether the body shows the whole conversation."""

    def of(self, kind: str) -> list[_Item]:
        return [item for item in self.items if item.kind == kind]


def check(body: object, family: str) -> list[WireViolation]:
    """The violations of a Responses body."""
    reader = Reader()
    request = _read(body, family, reader)
    if reader.misfits:
        return [_malformed(misfit) for misfit in reader.misfits]
    checks = (*_CHECKS, *_OPENAI_CHECKS) if family in rules.OPENAI else _CHECKS
    return [violation for rule in checks for violation in rule(request)]


def _read(body: object, family: str, reader: Reader) -> _Request:
    fields = reader.object(body, ())
    elsewhere = any(fields.get(key) for key in _ELSEWHERE)
    given = fields.get('input')
    alone = isinstance(given, str) or (given is None and elsewhere)
    items = [] if alone else [_read_item(item, path, reader) for path, item in reader.objects(given, ('input',))]
    # A compaction stands for items that are gone, a reference for one that the server keeps.
    elsewhere = elsewhere or any(item.kind in ('compaction', 'item_reference') for item in items)
    return _Request(family=family, items=items, complete=not elsewhere)


def _read_item(item: Object, path: Path, reader: Reader) -> _Item:
    kind = 'message' if item.get('type') is None else reader.string(item['type'], (*path, 'type'))
    if kind == 'message':
        reader.string(item.get('role'), (*path, 'role'))
        if not isinstance(item.get('content'), str):
            list(reader.objects(item.get('content'), (*path, 'content')))
    for key in _REQUIRED_STRINGS.get(kind, ()):
        reader.string(item.get(key), (*path, key))
    return _Item(path=path, kind=kind, data=item)


def _malformed(misfit: Misfit) -> WireViolation:
    return rules.MALFORMED_BODY.broken(misfit.path, f'Expected {misfit.expected}.', problem=misfit.in_openai_words())


def _calls_and_outputs(request: _Request) -> Iterator[WireViolation]:
    outputs = request.of('function_call_output')
    answered = {item.call_id for item in request.items if item.kind.endswith('_output')}
    asked = {item.call_id for item in request.items if not item.kind.endswith('_output')}
    for call in request.of('function_call') if request.complete else ():
        if call.call_id not in answered:
            rule = _UNANSWERED.get(request.family, rules.CALL_WITHOUT_OUTPUT)
            yield rule.broken(call.path, f'Call {call.call_id!r} has no output.', id=call.call_id)
    for output in outputs if request.complete else ():
        if output.call_id not in asked:
            rule = _UNASKED.get(request.family, rules.OUTPUT_WITHOUT_CALL)
            yield rule.broken(output.path, f'The output for {output.call_id!r} has no call.', id=output.call_id)
    seen: set[str] = set()
    for output in outputs:
        if output.call_id in seen:
            message = f'Call {output.call_id!r} has a second output.'
            yield rules.DUPLICATE_OUTPUT.broken(output.path, message, id=output.call_id)
        seen.add(output.call_id)


def _interleaved_calls(request: _Request) -> Iterator[WireViolation]:
    if request.family not in rules.INTERLEAVED_CALLS.families:
        return
    waiting: dict[str, _Item] = {}
    between: _Item | None = None
    for item in request.items:
        if item.kind == 'function_call_output':
            waiting.pop(item.call_id, None)
        elif item.kind == 'function_call':
            if waiting and between:
                call_id = next(iter(waiting))
                message = f'Something stands between call {call_id!r} and the next one.'
                yield rules.INTERLEAVED_CALLS.broken(between.path, message, id=call_id)
            waiting[item.call_id], between = item, None
        elif item.kind in ('message', 'reasoning'):
            between = item


def _item_ids(request: _Request) -> Iterator[WireViolation]:
    seen: set[str] = set()
    for item in request.items:
        if not isinstance(item.data.get('id'), str) or item.kind == 'item_reference':
            continue
        path, prefix = (*item.path, 'id'), _ID_PREFIXES.get(item.kind, '')
        place = bracketed(path)
        if not re.fullmatch('[a-zA-Z0-9_-]+', item.id):
            message = f'The item id {item.id!r} is empty or has a forbidden character.'
            yield rules.ITEM_ID_CHARSET.broken(path, message, place=place, id=item.id)
        elif not item.id.startswith(prefix):
            message = f'The item id {item.id!r} does not begin with {prefix!r}.'
            yield rules.ITEM_ID_PREFIX.broken(path, message, place=place, id=item.id, prefix=prefix)
        elif item.id in seen:
            yield rules.DUPLICATE_ITEM_ID.broken(path, f'The item id {item.id!r} occurs twice.', id=item.id)
        seen.add(item.id)


def _call_ids(request: _Request) -> Iterator[WireViolation]:
    for item in request.items:
        path, found = (*item.path, 'call_id'), item.data.get('call_id')
        if found == '':
            yield rules.CALL_ID_EMPTY.broken(path, 'The call id is empty.', place=bracketed(path))
        elif len(item.call_id) > 64:
            length = len(item.call_id)
            yield rules.CALL_ID_LENGTH.broken(
                path, f'The call id has {length} characters.', place=bracketed(path), length=length
            )


def _tool_names(request: _Request) -> Iterator[WireViolation]:
    for call in request.of('function_call'):
        path, name = (*call.path, 'name'), text_at(call.data, 'name')
        if not re.fullmatch('[a-zA-Z0-9_-]+', name):
            message = f'The tool name {name!r} is empty or has a forbidden character.'
            yield rules.TOOL_NAME.broken(path, message, place=bracketed(path))


def _reasoning(request: _Request) -> Iterator[WireViolation]:
    for item, following in pairwise([*request.items, None]):
        if item and item.kind == 'reasoning' and item.id and not _can_follow_reasoning(following):
            message = f'The item that reasoning {item.id!r} led to does not follow it.'
            yield rules.REASONING_WITHOUT_ITEM.broken(item.path, message, id=item.id)


def _can_follow_reasoning(item: _Item | None) -> bool:
    """Whether the model may have produced the item; a message that it produced has an id."""
    if item is None or item.kind.endswith('_call_output'):
        return False
    return item.kind != 'message' or bool(item.id)


_CHECKS: tuple[Callable[[_Request], Iterator[WireViolation]], ...] = (_calls_and_outputs, _interleaved_calls)
_OPENAI_CHECKS: tuple[Callable[[_Request], Iterator[WireViolation]], ...] = (
    _item_ids,
    _call_ids,
    _tool_names,
    _reasoning,
)
