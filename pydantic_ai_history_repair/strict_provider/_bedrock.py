"""Bedrock Converse: which request bodies the service, or the model behind it, refuses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ._json import Reader, dotted, object_at, objects_in, text_at
from ._turns import Block, Turn, merge_same_role
from ._wire_rules import bedrock as rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._json import Misfit, Object, Path
    from ._violations import WireViolation

_REQUIRED_STRINGS = {'toolUse': ('toolUseId', 'name'), 'toolResult': ('toolUseId',)}
_FOREIGN_KINDS = re.compile(r'tool_use|tool_result|.*_tool_(use|result)')


@dataclass(frozen=True, kw_only=True)
class _Request:
    body: Object
    family: str
    messages: list[Turn]
    turns: list[Turn]
    """What user and assistant say in turn: neighbours of one role joined."""

    @property
    def claude(self) -> bool:
        return self.family in rules.CLAUDE

    def of(self, *kinds: str) -> list[Block]:
        return [block for message in self.messages for block in message.of(*kinds)]


def check(body: object, family: str) -> list[WireViolation]:
    """The violations of a Converse body."""
    reader = Reader()
    fields = reader.object(body, ())
    listed = reader.objects(fields.get('messages'), ('messages',))
    messages = [_read_message(message, path, reader) for path, message in listed]
    if reader.misfits:
        return [_malformed(misfit) for misfit in reader.misfits]
    request = _Request(body=fields, family=family, messages=messages, turns=merge_same_role(messages))
    checks = (*_CHECKS, *_CLAUDE_CHECKS) if request.claude else _CHECKS
    return [violation for rule in checks for violation in rule(request)]


def _read_message(message: Object, path: Path, reader: Reader) -> Turn:
    role = reader.one_of(message.get('role'), ('user', 'assistant'), (*path, 'role'))
    listed = reader.objects(message.get('content'), (*path, 'content'))
    return Turn(path=path, role=role, blocks=tuple(_read_block(block, at, reader) for at, block in listed))


def _read_block(block: Object, path: Path, reader: Reader) -> Block:
    kind = next(iter(block), '')
    if isinstance(block.get('type'), str):  # Another API's way to say what a block is.
        return Block(path=path, kind='type', data=block)
    if kind == 'text':
        reader.string(block[kind], (*path, kind))
    if kind in _REQUIRED_STRINGS:
        fields = reader.object(block[kind], (*path, kind))
        for key in _REQUIRED_STRINGS[kind]:
            reader.string(fields.get(key), (*path, kind, key))
        if kind == 'toolResult':
            list(reader.objects(fields.get('content'), (*path, kind, 'content')))
        return Block(path=path, kind=kind, data=fields)
    return Block(path=path, kind=kind, data=block)


def _malformed(misfit: Misfit) -> WireViolation:
    return rules.MALFORMED_BODY.broken(
        misfit.path,
        f'Expected {misfit.expected}.',
        place=dotted(misfit.path),
        expected=f'{misfit.expected}, got {misfit.found}',
    )


def _id(block: Block) -> str:
    return text_at(block.data, 'toolUseId')


def _empty(request: _Request) -> Iterator[WireViolation]:
    for message in request.messages:
        if not message.blocks:
            yield rules.EMPTY_CONTENT.broken(message.path, 'The message has no content.', place=dotted(message.path))
    for block in request.of('text', 'toolResult'):
        if block.data.get('text') == '':
            yield rules.BLANK_TEXT.broken(block.path, 'The text block is empty.', place=dotted(block.path))
        for index, nested in enumerate(objects_in(block.data.get('content'))):
            path = (*block.path, 'toolResult', 'content', index)
            if nested.get('text') == '':
                yield rules.BLANK_TEXT.broken(path, 'The text block of the result is empty.', place=dotted(path))
            if not isinstance(nested.get('json', {}), dict):
                path = (*path, 'json')
                yield rules.JSON_RESULT_OBJECT.broken(path, 'The result is no object.', place=dotted(path))


def _documents(request: _Request) -> Iterator[WireViolation]:
    for turn in request.turns:
        if turn.of('document') and not turn.of('text'):
            path = turn.of('document')[0].path
            yield rules.DOCUMENT_NEEDS_TEXT.broken(path, 'The turn has a document, but no text.')


def _names(request: _Request) -> Iterator[WireViolation]:
    for block in request.of('toolUse', 'toolResult'):
        path = (*block.path, block.kind, 'toolUseId')
        if not re.fullmatch('[a-zA-Z0-9_.:-]{1,64}', _id(block)):
            message = f'The id {_id(block)!r} is empty, longer than 64 characters or has a forbidden one.'
            yield rules.TOOL_USE_ID.broken(path, message, place=_member(path))
        elif request.claude and not re.fullmatch('[a-zA-Z0-9_-]+', _id(block)):
            key = 'tool_use.id' if block.kind == 'toolUse' else 'tool_result.tool_use_id'
            message = f'The id {_id(block)!r} has a character other than letters, digits, `_` and `-`.'
            yield rules.ID_CHARSET.broken(path, message, place=f'{dotted(block.path)}.{key}')
        name = text_at(block.data, 'name')
        if block.kind == 'toolUse' and not re.fullmatch('[a-zA-Z0-9_-]{1,64}', name):
            path = (*block.path, 'toolUse', 'name')
            message = f'The tool name {name!r} is empty, longer than 64 characters or has a forbidden one.'
            yield rules.TOOL_NAME.broken(path, message, place=_member(path))


def _member(path: Path) -> str:
    """The path as the service prints it: `messages.2.member.content.1.member.toolUse.name`, counted from one."""
    tokens = [f'{token + 1}.member' if isinstance(token, int) else token for token in path]
    return '.'.join(tokens)


def _calls_and_results(request: _Request) -> Iterator[WireViolation]:
    nothing = Turn(path=('messages', len(request.messages)), role='')
    for turn, following in pairwise([nothing, *request.turns, nothing]):
        own = {_id(block) for block in turn.of('toolResult')} if turn.role == 'assistant' else set[str]()
        calls = [call for call in turn.of('toolUse') if _id(call) not in own] if turn.role == 'assistant' else []
        results = following.of('toolResult') if following.role == 'user' else []
        yield from _unanswered(calls, results, following)
        yield from _unasked(calls, results)
        leading = following.blocks[: len(results)]
        if request.claude and calls and results and list(leading) != results:
            message = 'The turn that answers calls does not begin with their results.'
            yield rules.RESULTS_FIRST.broken(following.blocks[0].path, message, n=following.path[1], count=len(calls))


def _unanswered(calls: list[Block], results: list[Block], following: Turn) -> Iterator[WireViolation]:
    answered = {_id(result) for result in results}
    for call in calls:
        if _id(call) not in answered:
            message = f'Call {_id(call)!r} has no result in the next turn.'
            yield rules.EXPECTED_TOOL_RESULT.broken(call.path, message, n=following.path[1], id=_id(call))


def _unasked(calls: list[Block], results: list[Block]) -> Iterator[WireViolation]:
    open_calls = {_id(call) for call in calls}
    for result in results:
        if _id(result) not in open_calls:
            message = f'The result for {_id(result)!r} does not follow its call, or is its second.'
            yield rules.RESULT_EXCEEDS_CALLS.broken(result.path, message, n=result.path[1])
        open_calls.discard(_id(result))


def _tool_config(request: _Request) -> Iterator[WireViolation]:
    blocks = request.of('toolUse', 'toolResult')
    if blocks and not request.body.get('toolConfig'):
        yield rules.TOOL_CONFIG_REQUIRED.broken(blocks[0].path, 'There are tool blocks, but no toolConfig.')


def _families(request: _Request) -> Iterator[WireViolation]:
    first = request.messages[0] if request.messages else None
    if first and first.role == 'assistant' and request.family in rules.START_WITH_USER.families:
        yield rules.START_WITH_USER.broken(first.path, 'The conversation starts with the assistant.')
    for turn in request.turns if request.family in rules.COLOCATION.families else ():
        others = [block for block in turn.blocks if block.kind not in ('toolResult', 'cachePoint')]
        if turn.role == 'user' and turn.of('toolResult') and others:
            message = 'Something shares a turn with results.'
            yield rules.COLOCATION.broken(others[0].path, message, n=others[0].path[1])


def _foreign_blocks(request: _Request) -> Iterator[WireViolation]:
    for block in request.of('type'):
        if _FOREIGN_KINDS.fullmatch(kind := text_at(block.data, 'type')):
            message = f'A `{kind}` block belongs to another API.'
            yield rules.FOREIGN_BLOCKS.broken(block.path, message, place='/'.join(map(str, block.path)))


def _claude_calls(request: _Request) -> Iterator[WireViolation]:
    for call in request.of('toolUse'):
        if not isinstance(call.data.get('input'), dict):
            message = f'The input of call {_id(call)!r} is no object.'
            place = f'{dotted(call.path)}.tool_use.input'
            yield rules.INPUT_DICT.broken((*call.path, 'toolUse', 'input'), message, place=place)
    for turn in (turn for turn in request.turns if turn.role == 'assistant'):
        last_call, used = None, set[str]()
        for block in turn.blocks:
            if block.kind == 'toolUse' and _id(block) in used:
                message = f'Two calls of one turn have the id {_id(block)!r}.'
                path = (*block.path, 'toolUse', 'toolUseId')
                yield rules.DUPLICATE_CALL_IDS.broken(path, message, place=dotted(block.path))
            elif last_call is not None and block.kind not in ('toolUse', 'cachePoint'):
                message = f'Call {_id(last_call)!r} is followed by other content in its turn.'
                yield rules.CONTENT_AFTER_CALL.broken(block.path, message, n=last_call.path[1], ids=_id(last_call))
                break
            last_call = block if block.kind == 'toolUse' else last_call
            used |= {_id(block)} if block.kind == 'toolUse' else set()


def _claude_thinking(request: _Request) -> Iterator[WireViolation]:
    for block in request.of('reasoningContent'):
        text = object_at(block.data, 'reasoningContent', 'reasoningText')
        if text and not text_at(text, 'signature'):
            path = (*block.path, 'reasoningContent', 'reasoningText')
            yield rules.INVALID_SIGNATURE.broken(
                path, 'The reasoning has no signature.', place=dotted(block.path), key='signature', kind='thinking'
            )
    if object_at(request.body, 'additionalModelRequestFields', 'thinking').get('type') != 'enabled':
        return
    loop = [turn for turn in request.turns[_loop_start(request.turns) :] if turn.role == 'assistant']
    calling = [turn for turn in loop if turn.of('toolUse')]
    if calling and request.turns[-1].role == 'user' and all(t.blocks[0].kind != 'reasoningContent' for t in calling):
        first = calling[-1].blocks[0]
        message = 'The open tool loop has no thinking block.'
        kind = {'toolUse': 'tool_use'}.get(first.kind, first.kind)
        yield rules.MUST_START_WITH_THINKING.broken(first.path, message, place=dotted(first.path), kind=kind)


def _loop_start(turns: list[Turn]) -> int:
    """Index of the first turn behind the last user turn that is not an answer to calls."""
    asks = [index for index, turn in enumerate(turns) if turn.role == 'user' and not turn.of('toolResult')]
    return asks[-1] + 1 if asks else 0


def _claude_last_message(request: _Request) -> Iterator[WireViolation]:
    last = request.messages[-1] if request.messages else None
    if last is None or last.role != 'assistant' or not last.blocks or last.of('toolUse'):
        return
    if text_at(last.blocks[-1].data, 'text')[-1:].isspace():
        yield rules.TRAILING_WHITESPACE.broken(last.blocks[-1].path, 'The final assistant text ends in whitespace.')
    if request.family in rules.NO_PREFILL.families:
        yield rules.NO_PREFILL.broken(last.path, 'The conversation ends on an assistant turn.')


def _claude_media(request: _Request) -> Iterator[WireViolation]:
    for block in request.of('video', 'toolResult'):
        nested = any('video' in item for item in objects_in(block.data.get('content')))
        if block.kind == 'video' or nested:
            yield rules.UNSUPPORTED_MEDIA.broken(block.path, 'This model takes no video.')


def _cache_points(request: _Request) -> Iterator[WireViolation]:
    marked = [block.path for block in request.of('cachePoint')]
    elsewhere = [
        *objects_in(request.body.get('system')),
        *objects_in(object_at(request.body, 'toolConfig').get('tools')),
    ]
    count = len(marked) + sum('cachePoint' in entry for entry in elsewhere)
    if count > 4:
        path = marked[-1] if marked else ('messages',)
        yield rules.CACHE_CONTROL_MAX.broken(path, f'There are {count} cache points.', count=count)


_CHECKS: tuple[Callable[[_Request], Iterator[WireViolation]], ...] = (
    _empty,
    _documents,
    _names,
    _calls_and_results,
    _tool_config,
    _families,
    _foreign_blocks,
)
_CLAUDE_CHECKS: tuple[Callable[[_Request], Iterator[WireViolation]], ...] = (
    _claude_calls,
    _claude_thinking,
    _claude_last_message,
    _claude_media,
    _cache_points,
)
