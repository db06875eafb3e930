"""Gemini `generateContent`: which request bodies the Gemini API and Vertex AI refuse."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from ._json import Reader, bracketed, object_at, text_at
from ._turns import Block, Turn, merge_same_role
from ._wire_rules import google as rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ._json import Misfit, Object, Path
    from ._violations import WireViolation

_BASE64 = re.compile(r'[A-Za-z0-9+/_-]*={0,2}')


@dataclass(frozen=True, kw_only=True)
class _Request:
    family: str
    contents: list[Turn]
    turns: list[Turn]
    """What user and model say in turn: neighbours of one role joined."""


def check(body: object, family: str) -> list[WireViolation]:
    """The violations of a `generateContent` body."""
    reader = Reader()
    request = _read(body, family, reader)
    if reader.misfits:
        return [_malformed(misfit) for misfit in reader.misfits]
    return [violation for rule in _CHECKS for violation in rule(request)]


def _read(body: object, family: str, reader: Reader) -> _Request:
    contents = reader.object(body, ()).get('contents')
    listed: Iterable[tuple[Path, Object]] = () if contents is None else reader.objects(contents, ('contents',))
    turns = [_read_content(content, path, reader) for path, content in listed]
    return _Request(family=family, contents=turns, turns=merge_same_role(turns))


def _read_content(content: Object, path: Path, reader: Reader) -> Turn:
    role = 'user' if content.get('role') is None else reader.string(content['role'], (*path, 'role'))
    parts = content.get('parts')
    listed: Iterable[tuple[Path, Object]] = () if parts is None else reader.objects(parts, (*path, 'parts'))
    blocks = tuple(_read_part(part, at, reader) for at, part in listed)
    return Turn(path=path, role='model' if role == 'model' else 'user', blocks=blocks)


def _read_part(part: Object, path: Path, reader: Reader) -> Block:
    # Protocol buffers take both spellings of a field name.
    fields = {_camel_case(key): value for key, value in part.items() if value is not None}
    kind = next((kind for kind in ('functionCall', 'functionResponse', 'text') if kind in fields), '')
    at = (*path, kind)
    if kind == 'text':
        reader.string(fields[kind], at)
    elif kind:
        call = reader.object(fields[kind], at)
        reader.string(call.get('name'), (*at, 'name'))
        if call.get(key := 'args' if kind == 'functionCall' else 'response') is not None:
            reader.object(call[key], (*at, key))
    if 'thoughtSignature' in fields:
        reader.string(fields['thoughtSignature'], (*path, 'thoughtSignature'))
    return Block(path=path, kind=kind, data=fields)


def _camel_case(key: object) -> str:
    first, *others = str(key).split('_')
    return first + ''.join(word.capitalize() for word in others)


def _malformed(misfit: Misfit) -> WireViolation:
    message = f'Expected {misfit.expected}.'
    return rules.MALFORMED_BODY.broken(
        misfit.path, message, place=bracketed(misfit.path), expected=f'{misfit.expected}, got {misfit.found}'
    )


def _nothing(request: _Request) -> Iterator[WireViolation]:
    if not request.contents:
        yield rules.NO_CONTENTS.broken(('contents',), 'There is no content.')
    for content in request.contents:
        if not content.blocks:
            place = f'{bracketed(content.path)}.parts'
            yield rules.EMPTY_PARTS.broken(content.path, 'The content has no parts.', place=place)
        for part in content.blocks:
            if not part.data:
                yield rules.EMPTY_PART.broken(part.path, 'The part is empty.', place=bracketed(part.path))
            elif part.data.get('text') == '' and request.family in rules.EMPTY_TEXT.families:
                yield rules.EMPTY_TEXT.broken(part.path, 'The text is empty.')


def _calls_and_responses(request: _Request) -> Iterator[WireViolation]:
    nothing = Turn(path=('contents',), role='')
    for turn, following in pairwise([nothing, *request.turns, nothing]):
        calls = turn.of('functionCall') if turn.role == 'model' else []
        responses = following.of('functionResponse') if following.role == 'user' else []
        if responses and not calls:
            message = 'The turn before has no function call.'
            yield rules.RESPONSE_WITHOUT_CALL.broken(responses[0].path, message)
        elif len(calls) != len(responses):
            message = f'{len(responses)} function responses follow {len(calls)} function calls.'
            yield rules.RESPONSE_COUNT.broken(calls[0].path, message)
        elif request.family in rules.SPLIT_RESPONSES.families:
            yield from _split_responses(responses)


def _split_responses(responses: list[Block]) -> Iterator[WireViolation]:
    contents = [list(group) for _, group in groupby(responses, key=lambda response: response.message)]
    if len(contents) > 1:
        message = 'The responses to the calls of one turn are spread over several contents.'
        yield rules.SPLIT_RESPONSES.broken(contents[1][0].path, message)


def _first_turn(request: _Request) -> Iterator[WireViolation]:
    first = request.turns[0] if request.turns else None
    if first and first.role == 'model' and (calls := first.of('functionCall')):
        yield rules.CALL_TURN_ORDER.broken(calls[0].path, 'The conversation starts with a function call.')


def _last_content(request: _Request) -> Iterator[WireViolation]:
    last = request.contents[-1] if request.contents else None
    if last and last.role == 'model' and request.family in rules.MUST_END_WITH_USER.families:
        yield rules.MUST_END_WITH_USER.broken(last.path, 'The conversation ends on a model turn.')
    if last and last.role == 'user' and request.family in rules.MIXED_TEXT.families:
        for before, part in pairwise(last.blocks):
            if before.kind == 'functionResponse' and part.kind != 'functionResponse':
                yield rules.MIXED_TEXT.broken(part.path, 'Something follows the function responses of the content.')


def _signatures(request: _Request) -> Iterator[WireViolation]:
    for part in (part for content in request.contents for part in content.blocks):
        if not _is_base64(text_at(part.data, 'thoughtSignature')):
            path = (*part.path, 'thoughtSignature')
            yield rules.CORRUPTED_SIGNATURE.broken(path, 'The thought signature is not Base64.')
    if request.family in rules.MISSING_SIGNATURE.families:
        yield from _missing_signatures(request.turns)


def _missing_signatures(turns: list[Turn]) -> Iterator[WireViolation]:
    asked = [index for index, turn in enumerate(turns) if turn.role == 'user' and _asks(turn)]
    position = sum(len(turn.blocks) for turn in turns[: asked[-1] if asked else 0])
    for turn in turns[asked[-1] if asked else 0 :]:
        first = next(iter(turn.of('functionCall')), None)
        if first is not None and not first.data.get('thoughtSignature'):
            name = text_at(object_at(first.data, 'functionCall'), 'name')
            at = position + turn.blocks.index(first) + 1
            message = f'The call of {name!r} has no thought signature.'
            yield rules.MISSING_SIGNATURE.broken(first.path, message, name=name, position=at)
        position += len(turn.blocks)


def _asks(turn: Turn) -> bool:
    """Whether a user turn says something of its own, which makes what came before an earlier turn."""
    return any(block.kind != 'functionResponse' for block in turn.blocks)


def _is_base64(value: str) -> bool:
    return bool(_BASE64.fullmatch(value)) and len(value.rstrip('=')) % 4 != 1


_CHECKS: tuple[Callable[[_Request], Iterator[WireViolation]], ...] = (
    _nothing,
    _calls_and_responses,
    _first_turn,
    _last_content,
    _signatures,
)
