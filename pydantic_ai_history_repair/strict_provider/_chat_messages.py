"""What the messages of a chat completions body hold, for every vendor that speaks it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._json import objects_in, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._json import Object, Path, Reader


@dataclass(frozen=True, kw_only=True)
class Call:
    """One entry of `tool_calls`."""

    path: Path
    id: str
    name: str
    arguments: object


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message, read without doubt about its types."""

    path: Path
    role: str
    data: Object
    calls: tuple[Call, ...] = ()
    answers: str = ''
    """The `tool_call_id` of a `tool` message."""

    @property
    def index(self) -> int:
        """Position in `messages`."""
        return int(self.path[1])

    @property
    def parts(self) -> list[Object]:
        """The content parts, none where the content is a string."""
        return objects_in(self.data.get('content'))


def read_messages(body: object, reader: Reader) -> list[Message]:
    """The messages of a body; what is not of the right type is left to the reader's misfits."""
    messages = reader.object(body, ()).get('messages')
    return [_read_message(message, path, reader) for path, message in reader.objects(messages, ('messages',))]


def _read_message(message: Object, path: Path, reader: Reader) -> Message:
    role = reader.string(message.get('role'), (*path, 'role'))
    content, calls = message.get('content'), message.get('tool_calls')
    if content is not None and not isinstance(content, str):
        for at, part in reader.objects(content, (*path, 'content')):
            reader.string(part.get('type'), (*at, 'type'))
    return Message(
        path=path,
        role=role,
        data=message,
        calls=tuple(_read_calls(calls, path, reader)) if calls is not None else (),
        answers=reader.string(message.get('tool_call_id'), (*path, 'tool_call_id')) if role == 'tool' else '',
    )


def _read_calls(calls: object, path: Path, reader: Reader) -> Iterator[Call]:
    for at, call in reader.objects(calls, (*path, 'tool_calls')):
        kind = 'custom' if call.get('type') == 'custom' else 'function'
        function = reader.object(call.get(kind), (*at, kind))
        yield Call(
            path=at,
            id=reader.string(call.get('id'), (*at, 'id')),
            name=reader.string(function.get('name'), (*at, kind, 'name')),
            arguments='{}' if kind == 'custom' else function.get('arguments'),
        )


def exchanges(messages: list[Message]) -> Iterator[tuple[Message | None, list[Message]]]:
    """Each non-tool message with the `tool` messages directly behind it; `None` in front of leading ones."""
    asking: Message | None = None
    answers: list[Message] = []
    for message in messages:
        if message.role == 'tool':
            answers.append(message)
        else:
            yield asking, answers
            asking, answers = message, []
    yield asking, answers


def is_empty(message: Message) -> bool:
    """Whether a message says nothing and calls nothing."""
    return not message.data.get('content') and not message.calls


def first_part(message: Message, *kinds: str) -> int | None:
    """The index of the first content part of these kinds."""
    return next((index for index, part in enumerate(message.parts) if text_at(part, 'type') in kinds), None)
