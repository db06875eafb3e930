"""Ids in the place of others: the same ones for the same history, and never one that is there already."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any

from pydantic_ai.messages import ModelRequest

from ._compat import with_fields
from ._edits import Edits
from ._findings import Location
from ._history import History
from .dialects import NameFormat


def digest(text: str, length: int) -> str:
    """The first characters of a hash of `text`, in hexadecimal digits."""
    return sha256(text.encode(errors='surrogatepass')).hexdigest()[:length]


def ids_in(history: History) -> set[str]:
    """Every tool call id of a history."""
    return {part.tool_call_id for _, _, part in (*history.contents.calls, *history.contents.results)}


def new_id(stem: str, seed: str, taken: set[str]) -> str:
    """`stem` with a suffix that depends on `seed` alone, unless that is taken. The new id is taken from then on."""
    attempt = 0
    while (candidate := f'{stem}_{digest(f"{seed}:{attempt}" if attempt else seed, 8)}') in taken:
        attempt += 1
    taken.add(candidate)
    return candidate


def fitted(text: str, format: NameFormat, taken: set[str]) -> str:
    """`text` changed to fit a format, with a hash of it so that two texts do not become one."""
    attempt = 0
    while True:
        seed = f'{text}:{attempt}' if attempt else text
        candidate = digest(seed, format.longest)
        if format.allows('_'):
            stem = re.sub(f'[^{format.characters}]', '_', text)[: format.longest - 9]
            candidate = f'{stem}_{digest(seed, 8)}'
        if candidate not in taken:
            taken.add(candidate)
            return candidate
        attempt += 1


def rename(edits: Edits, history: History, call: Location, results: list[Location], tool_call_id: str) -> None:
    """Give a call and its results another id, and what else in their requests speaks of the call."""
    former = history.call(call).tool_call_id
    edits.replace(call, with_fields(edits.part(call), tool_call_id=tool_call_id))
    for result in results:
        edits.replace(result, with_fields(edits.part(result), tool_call_id=tool_call_id))
        request = history.messages[result.message]
        assert isinstance(request, ModelRequest)
        for position, part in enumerate(request.parts):
            location = Location(result.message, position)
            about: Any = getattr(part, 'tool_call_id', None)
            if about == former and getattr(part, 'part_kind', None) == 'tool-availability-delta':
                edits.replace(location, with_fields(edits.part(location), tool_call_id=tool_call_id))
