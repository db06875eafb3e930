"""Anthropic Messages: which request bodies the API refuses."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ._anthropic_request import Request, read_request
from ._json import Reader, dotted, object_at, objects_in, text_at
from ._turns import Block, Turn
from ._wire_rules import anthropic as rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._json import Misfit, Object, Path
    from ._violations import WireViolation

_NATIVE_CALLS = ('server_tool_use', 'mcp_tool_use')
_THINKING = ('thinking', 'redacted_thinking')
_UNANSWERED = {'minimax': rules.MINIMAX_CALL_WITHOUT_RESULT}
_UNASKED = {'minimax': rules.MINIMAX_RESULT_WITHOUT_CALL}
_OWN_PROOF = {'thinking': 'signature', 'redacted_thinking': 'data'}


def check(body: object, family: str) -> list[WireViolation]:
    """The violations of an Anthropic Messages body."""
    reader = Reader()
    request = read_request(body, family, reader)
    if reader.misfits:
        return [_malformed(misfit) for misfit in reader.misfits]
    return [violation for rule in _CHECKS for violation in rule(request)]


def _malformed(misfit: Misfit) -> WireViolation:
    problem = {
        'nothing': 'Field required',
        'unknown': f'Input should be {misfit.expected}',
    }.get(misfit.found, f'Input should be a valid {misfit.expected.replace("array", "list")}')
    return rules.MALFORMED_BODY.broken(
        misfit.path, f'Expected {misfit.expected}.', place=dotted(misfit.path) or 'body', problem=problem
    )


def _no_messages(request: Request) -> Iterator[WireViolation]:
    if not request.messages:
        yield rules.NO_MESSAGES.broken(('messages',), 'There is no message.')


def _empty_content(request: Request) -> Iterator[WireViolation]:
    for message in request.messages:
        final_assistant = message is request.messages[-1] and message.role == 'assistant'
        if not (message.blocks or final_assistant):
            yield rules.EMPTY_CONTENT.broken(message.path, 'The message has no content.', n=message.path[1])


def _text(request: Request) -> Iterator[WireViolation]:
    for index, block in enumerate(objects_in(request.body.get('system'))):
        if block.get('text') == '':
            yield rules.EMPTY_TEXT.broken(('system', index, 'text'), 'The text block is empty.', root='system')
    for message in request.messages:
        for block in message.of('text'):
            yield from _one_text(block)
        for block in message.of('tool_result'):
            for index, nested in enumerate(objects_in(block.data.get('content'))):
                if nested.get('text') == '':
                    at = (*block.path, 'content', index, 'text')
                    yield rules.EMPTY_TEXT.broken(at, 'The text block of the result is empty.', root='messages')


def _one_text(block: Block) -> Iterator[WireViolation]:
    text = text_at(block.data, 'text')
    if not text:
        yield rules.EMPTY_TEXT.broken(block.path, 'The text block is empty.', root='messages')
    elif not text.strip():
        yield rules.WHITESPACE_TEXT.broken(block.path, 'The text block holds only whitespace.')


def _last_turn(request: Request) -> Iterator[WireViolation]:
    if not request.messages or request.messages[-1].role != 'assistant' or not request.messages[-1].blocks:
        return
    last = request.messages[-1].blocks[-1]
    if last.kind == 'text' and text_at(last.data, 'text')[-1:].isspace():
        yield rules.TRAILING_WHITESPACE.broken(last.path, 'The final assistant text ends in whitespace.')
    # A paused server tool turn is sent back as it is, and goes on from there.
    resumed = any(_is_native(block) for block in request.messages[-1].blocks) or last.kind == 'tool_use'
    if request.family in rules.NO_PREFILL.families and not resumed:
        yield rules.NO_PREFILL.broken(request.messages[-1].path, 'The conversation ends on an assistant turn.')


def _is_native(block: Block) -> bool:
    return block.kind in _NATIVE_CALLS or _is_native_result(block)


def _is_native_result(block: Block) -> bool:
    return block.kind.endswith('_tool_result')


def _system_entries(request: Request) -> Iterator[WireViolation]:
    for index, message in enumerate(request.messages):
        if message.role != 'system' or message.of('output_config'):
            continue
        if request.family in rules.SYSTEM_ROLE.families:
            yield rules.SYSTEM_ROLE.broken(message.path, 'This model takes no `system` entry.')
        before = request.messages[index - 1] if index else None
        after = request.messages[index + 1].role if index + 1 < len(request.messages) else 'assistant'
        anchored = before and (before.role != 'assistant' or any(map(_is_native_result, before.blocks[-1:])))
        if not anchored or after == 'user':
            yield rules.SYSTEM_PLACEMENT.broken(message.path, 'The `system` entry stands in the wrong place.', n=index)


def _block_roles(request: Request) -> Iterator[WireViolation]:
    for turn in request.turns:
        kind, role = ('tool_use', 'assistant') if turn.role == 'user' else ('tool_result', 'user')
        for block in turn.of(kind):
            message = f'A `{kind}` block stands in a message of the wrong role.'
            yield rules.BLOCK_ROLE.broken(block.path, message, n=block.path[1], kind=kind, role=role)


def _calls_and_results(request: Request) -> Iterator[WireViolation]:
    nothing = Turn(path=('messages',), role='')
    for turn, following in pairwise([nothing, *request.turns, nothing]):
        calls = turn.of('tool_use') if turn.role == 'assistant' else []
        results = following.of('tool_result') if following.role == 'user' else []
        yield from _unanswered(calls, {text_at(result.data, 'tool_use_id') for result in results}, request.family)
        yield from _unasked(results, {text_at(call.data, 'id') for call in calls}, request.family)
        yield from _displaced(calls, following)


def _unanswered(calls: list[Block], answered: set[str], family: str) -> Iterator[WireViolation]:
    for call in calls:
        if (call_id := text_at(call.data, 'id')) not in answered:
            message = f'Call {call_id!r} has no result in the next turn.'
            rule = _UNANSWERED.get(family, rules.CALL_WITHOUT_RESULT)
            yield rule.broken(call.path, message, n=call.path[1], ids=call_id)


def _unasked(results: list[Block], asked: set[str], family: str) -> Iterator[WireViolation]:
    seen: set[str] = set()
    for result in results:
        call_id = text_at(result.data, 'tool_use_id')
        if call_id not in asked:
            message = f'The result for {call_id!r} does not follow its call.'
            rule = _UNASKED.get(family, rules.RESULT_WITHOUT_CALL)
            yield rule.broken(result.path, message, place=dotted(result.path), id=call_id)
        elif call_id in seen:
            message = f'Call {call_id!r} has a second result.'
            yield rules.DUPLICATE_RESULTS.broken(result.path, message, place=dotted(result.path), id=call_id)
        seen.add(call_id)


def _displaced(calls: list[Block], answer: Turn) -> Iterator[WireViolation]:
    results = answer.of('tool_result') if calls else []
    first = next((block for block, result in zip(answer.blocks, results, strict=False) if block != result), None)
    if first is not None:
        ids = ', '.join(text_at(call.data, 'id') for call in calls)
        message = 'Something precedes a result in the turn that answers calls.'
        yield rules.TEXT_BEFORE_RESULT.broken(first.path, message, n=calls[0].path[1], ids=ids)


def _content_after_call(request: Request) -> Iterator[WireViolation]:
    for turn in request.turns:
        returned = {text_at(block.data, 'tool_use_id') for block in turn.blocks}
        last_call: Block | None = None
        for block in turn.blocks if turn.role == 'assistant' else ():
            in_flight = block.kind in _NATIVE_CALLS and text_at(block.data, 'id') not in returned
            if block.kind == 'tool_use':
                last_call = block
            elif last_call is not None and not in_flight:
                call_id = text_at(last_call.data, 'id')
                message = f'Call {call_id!r} is followed by other content in its turn.'
                yield rules.CONTENT_AFTER_CALL.broken(block.path, message, n=last_call.path[1], ids=call_id)
                break


def _tool_ids(request: Request) -> Iterator[WireViolation]:
    for turn in request.turns:
        used: set[str] = set()
        for block in turn.of('tool_use', 'tool_result'):
            key = 'id' if block.kind == 'tool_use' else 'tool_use_id'
            found, place = text_at(block.data, key), f'{dotted(block.path)}.{block.kind}.{key}'
            if not re.fullmatch(r'[a-zA-Z0-9_-]+', found):
                message = f'The id {found!r} is empty or has a character other than letters, digits, `_` and `-`.'
                yield rules.ID_CHARSET.broken((*block.path, key), message, place=place)
            if block.kind == 'tool_use' and found in used:
                message = f'Two calls of one turn have the id {found!r}.'
                yield rules.DUPLICATE_CALL_IDS.broken((*block.path, key), message, place=dotted(block.path))
            used.add(found)


def _calls(request: Request) -> Iterator[WireViolation]:
    for call in (block for message in request.messages for block in message.of('tool_use')):
        place = f'{dotted(call.path)}.tool_use'
        if not re.fullmatch(r'[a-zA-Z0-9_-]+', text_at(call.data, 'name')):
            message = f'The tool name {text_at(call.data, "name")!r} is empty or has a forbidden character.'
            yield rules.TOOL_NAME.broken((*call.path, 'name'), message, place=f'{place}.name')
        if not isinstance(call.data.get('input'), dict):
            message = f'The input of call {text_at(call.data, "id")!r} is no object.'
            yield rules.INPUT_DICT.broken((*call.path, 'input'), message, place=f'{place}.input')


def _tools_defined(request: Request) -> Iterator[WireViolation]:
    first = next((block for turn in request.turns for block in turn.of('tool_use', 'tool_result')), None)
    if first and not request.body.get('tools') and not request.body.get('mcp_servers'):
        yield rules.TOOLS_REQUIRED.broken(first.path, 'There are tool blocks, but no tools.')


def _thinking_proof(request: Request) -> Iterator[WireViolation]:
    for block in (block for turn in request.turns for block in turn.of(*_THINKING)):
        key = _OWN_PROOF[block.kind]
        if not text_at(block.data, key):
            yield rules.INVALID_SIGNATURE.broken(
                block.path,
                f'The `{block.kind}` block has no {key}.',
                place=dotted(block.path),
                key=key,
                kind=block.kind,
            )


def _open_tool_loop(request: Request) -> Iterator[WireViolation]:
    if object_at(request.body, 'thinking').get('type') != 'enabled':
        return
    loop: list[Turn] = []
    for turn in reversed(request.turns):
        if turn.role == 'user' and not turn.of('tool_result'):
            break
        loop.insert(0, turn)
    answers = [turn for turn in loop if turn.role == 'assistant' and turn.of('tool_use')]
    if answers and loop[-1].role == 'user' and not any(turn.blocks[0].kind in _THINKING for turn in answers):
        first = answers[-1].blocks[0]
        yield rules.MUST_START_WITH_THINKING.broken(
            first.path, 'The open tool loop has no thinking block.', place=dotted(first.path), kind=first.kind
        )


def _native_tools(request: Request) -> Iterator[WireViolation]:
    blocks = [block for turn in request.turns for block in turn.blocks]
    waiting: dict[str, Block] = {}
    for block in blocks:
        if block.kind in _NATIVE_CALLS:
            waiting[text_at(block.data, 'id')] = block
        elif _is_native_result(block) and waiting.pop(text_at(block.data, 'tool_use_id'), None) is None:
            call = 'mcp_tool_use' if block.kind == 'mcp_tool_result' else 'server_tool_use'
            call_id = text_at(block.data, 'tool_use_id')
            message = f'The `{block.kind}` for {call_id!r} has no call before it.'
            yield rules.NATIVE_RESULT_UNPAIRED.broken(
                block.path, message, place=dotted(block.path), kind=block.kind, id=call_id, call=call
            )
    for call_id, call in waiting.items():
        if not _still_open(request, call):
            result = 'mcp_tool_result' if call.kind == 'mcp_tool_use' else f'{text_at(call.data, "name")}_tool_result'
            yield rules.NATIVE_CALL_UNPAIRED.broken(
                call.path,
                f'The `{call.kind}` {call_id!r} has no result, and the conversation has gone on.',
                place=dotted(call.path),
                name=text_at(call.data, 'name'),
                id=call_id,
                result=result,
            )


def _still_open(request: Request, call: Block) -> bool:
    """Whether only client tool results follow the turn of the call, or further client calls made by its code."""
    turn = next(turn for turn in request.turns if call in turn.blocks)
    later = [
        block for message in request.messages for block in message.blocks if block.message > turn.blocks[-1].message
    ]
    return all(
        block.kind == 'tool_result' or object_at(block.data, 'caller').get('tool_id') == call.data['id']
        for block in later
    )


def _cache_control(request: Request) -> Iterator[WireViolation]:
    marked = [path for path, block in _cacheable(request) if block.get('cache_control') is not None]
    if len(marked) > 4:
        yield rules.CACHE_CONTROL_MAX.broken(marked[4], f'{len(marked)} blocks carry a marker.', count=len(marked))


def _cacheable(request: Request) -> Iterator[tuple[Path, Object]]:
    for key in ('tools', 'system'):
        for index, entry in enumerate(objects_in(request.body.get(key))):
            yield (key, index), entry
    for block in (block for message in request.messages for block in message.blocks):
        yield block.path, block.data
        for index, nested in enumerate(objects_in(block.data.get('content'))):
            yield (*block.path, 'content', index), nested


def _minimax(request: Request) -> Iterator[WireViolation]:
    if request.family not in rules.MINIMAX_TRAILING_TEXT.families:
        return
    for message in request.messages:
        others = [block for block in message.blocks if block.kind != 'tool_result']
        if message.role == 'user' and others and len(others) < len(message.blocks):
            yield rules.MINIMAX_TRAILING_TEXT.broken(others[0].path, 'Something shares a message with results.')


_CHECKS: tuple[Callable[[Request], Iterator[WireViolation]], ...] = (
    _no_messages,
    _empty_content,
    _text,
    _block_roles,
    _tool_ids,
    _calls,
    _calls_and_results,
    _content_after_call,
    _native_tools,
    _thinking_proof,
    _open_tool_loop,
    _tools_defined,
    _cache_control,
    _system_entries,
    _last_turn,
    _minimax,
)
