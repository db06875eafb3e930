"""What an Anthropic Messages body holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._turns import Block, Turn, merge_same_role

if TYPE_CHECKING:
    from ._json import Object, Path, Reader

_REQUIRED_STRINGS = {
    'text': ('text',),
    'thinking': ('thinking',),
    'tool_use': ('id', 'name'),
    'tool_result': ('tool_use_id',),
    'server_tool_use': ('id', 'name'),
    'mcp_tool_use': ('id', 'name'),
}


@dataclass(frozen=True, kw_only=True)
class Request:
    """A body, read without doubt about its types."""

    body: Object
    family: str
    messages: list[Turn]
    """As sent, `system` entries included."""
    turns: list[Turn]
    """What user and assistant say in turn: no `system` entries, neighbours of one role joined."""


def read_request(body: object, family: str, reader: Reader) -> Request:
    """The messages and turns of a body; what is not of the right type is left to the reader's misfits."""
    fields = reader.object(body, ())
    messages = [
        _read_message(message, path, reader) for path, message in reader.objects(fields.get('messages'), ('messages',))
    ]
    spoken = merge_same_role(message for message in messages if message.role != 'system')
    return Request(body=fields, family=family, messages=messages, turns=_since_compaction(spoken))


def _read_message(message: Object, path: Path, reader: Reader) -> Turn:
    role = reader.one_of(message.get('role'), ('user', 'assistant', 'system'), (*path, 'role'))
    content, content_path = message.get('content'), (*path, 'content')
    if isinstance(content, str):
        text = Block(path=content_path, kind='text', data={'text': content})
        return Turn(path=path, role=role, blocks=(text,) if content else ())
    if 'output_config' in message:  # An entry that changes the effort, has no content and may stand anywhere.
        return Turn(path=path, role=role, blocks=(Block(path=path, kind='output_config', data=message),))
    blocks = tuple(_read_block(block, at, reader) for at, block in reader.objects(content, content_path))
    return Turn(path=path, role=role, blocks=blocks)


def _read_block(block: Object, path: Path, reader: Reader) -> Block:
    kind = reader.string(block.get('type'), (*path, 'type'))
    for key in _REQUIRED_STRINGS.get(kind, ()):
        reader.string(block.get(key), (*path, key))
    if kind == 'tool_result' and isinstance(block.get('content'), list):
        for at, nested in reader.objects(block['content'], (*path, 'content')):
            _read_block(nested, at, reader)
    return Block(path=path, kind=kind, data=block)


def _since_compaction(turns: list[Turn]) -> list[Turn]:
    """The part the model still sees: the API drops what precedes the last `compaction` block."""
    starts = [index for index, turn in enumerate(turns) if turn.of('compaction')]
    return turns[starts[-1] :] if starts else turns
