"""How the repairs of one phase become one new list of messages.

Rules say what they want in terms of the history they were given, so their edits never shift under each other. Messages
that no edit names come out as the same objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ToolReturnPart,
)

from ._compat import is_tool_result
from ._findings import Location
from ._history import History, Provenance


class Edits:
    """Edits to a history, none of them applied yet."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._parts: dict[Location, Any] = {}
        self._behind_results: dict[int, list[ModelRequestPart]] = {}
        self._answers: dict[int, list[ToolReturnPart | Location]] = {}
        self._messages: dict[int, Sequence[ModelMessage]] = {}
        self._inserted: dict[int, ModelMessage] = {}
        self.declared: tuple[str, ...] = ()
        """Tools that the request has to declare."""

    def __bool__(self) -> bool:
        return bool(self._parts or self._behind_results or self._answers or self._messages or self._inserted)

    def remove(self, location: Location) -> None:
        """Leave a part out. A message that this empties goes too, unless it is a request and the last one."""
        self._parts[location] = None

    def replace(self, location: Location, part: Any) -> None:
        """Put another part in the place of one, wherever that one is moved to."""
        self._parts[location] = part

    def part(self, location: Location) -> Any:
        """The part at a location as edited so far, `None` if it is left out."""
        if location in self._parts:
            return self._parts[location]
        return self._history.messages[location.message].parts[location.part or 0]

    def answer(self, response: int, result: ToolReturnPart | Location) -> None:
        """Add a result, new or moved from elsewhere, after the other results for a response's calls."""
        self._answers.setdefault(response, []).append(result)

    def add_behind_results(self, request: int, part: ModelRequestPart) -> None:
        """Add a part to a request, behind its tool results and what was added there before."""
        self._behind_results.setdefault(request, []).append(part)

    def replace_message(self, index: int, *messages: ModelMessage) -> None:
        """Put other messages in the place of one."""
        self._messages[index] = messages

    def drop_message(self, index: int) -> None:
        """Leave a message out."""
        self._messages[index] = ()

    def insert_message(self, index: int, message: ModelMessage) -> None:
        """Put a message in front of the one at an index."""
        self._inserted[index] = message

    def declare(self, tool_names: Iterable[str]) -> None:
        """Have the request declare tools, none of which can be called."""
        self.declared = tuple(dict.fromkeys(tool_names))

    def message(self, index: int) -> ModelMessage:
        """The message at an index, as edited so far."""
        edited = self._messages.get(index)
        return edited[0] if edited else self._history.messages[index]

    def apply(self) -> History:
        """The history with every edit applied. Costs next to nothing for the messages that no edit names."""
        before = self._history.messages
        result = _Result(before)
        moved = {place for places in self._answers.values() for place in places if isinstance(place, Location)}
        touched = {*(location.message for location in (*self._parts, *moved)), *self._behind_results}
        for index in sorted({*touched, *self._answers, *self._messages, *self._inserted}):
            result.copy_until(index)
            if index in self._inserted:
                result.add(index, self._inserted[index])
            messages = self._messages.get(index, before[index : index + 1])
            if index in touched and len(messages) == 1:
                message = self._edited(index, messages[0], moved)
                kept = message.parts or (index == len(before) - 1 and isinstance(message, ModelRequest))
                messages = (message,) if kept else ()
            for message in messages:
                result.add(index, message)
            result.taken = index + 1
            if index in self._answers:
                result.waiting = [self._settled(answer) for answer in self._answers[index]]
        result.copy_until(len(before))
        result.settle()
        return History(result.messages, self._history.terms, self._provenance(result.origins))

    def _settled(self, answer: ToolReturnPart | Location) -> ToolReturnPart:
        return self.part(answer) if isinstance(answer, Location) else answer

    def _edited(self, index: int, message: ModelMessage, moved: set[Location]) -> ModelMessage:
        parts: list[Any] = []
        behind = 0
        for position, part in enumerate(message.parts):
            location = Location(index, position)
            edited = self._parts.get(location, part)
            if edited is not None and location not in moved:
                parts.append(edited)
                behind = len(parts) if is_tool_result(edited) else behind
        parts[behind:behind] = self._behind_results.get(index, [])
        return replace(message, parts=parts)

    def _provenance(self, origins: list[int]) -> Provenance:
        earlier = self._history.provenance
        if earlier is None:
            given, parts = self._history.messages, dict[int, tuple[Location, object]]()
        else:
            given, parts = earlier.given, {**earlier.parts}
            origins = [earlier.origins[index] for index in origins]
        for location, part in self._parts.items():
            if part is not None:
                at = location if earlier is None else earlier.of(self._history.messages, location)
                parts[id(part)] = at, part
        return Provenance(given, origins, parts)


class _Result:
    """The new list while it grows."""

    def __init__(self, before: list[ModelMessage]) -> None:
        self.before = before
        self.messages: list[ModelMessage] = []
        self.origins: list[int] = []
        self.waiting: list[ToolReturnPart] = []
        """Results for the latest response, to go into the request that follows it or into one of their own."""
        self.taken = 0

    def copy_until(self, end: int) -> None:
        """Take over messages as they are."""
        if self.waiting and self.taken < end:
            self.add(self.taken, self.before[self.taken])
            self.taken += 1
        self.messages += self.before[self.taken : end]
        self.origins += range(self.taken, end)
        self.taken = end

    def add(self, origin: int, message: ModelMessage) -> None:
        """Take over a message that was edited or is new, with the index of the message that it comes from."""
        if self.waiting and isinstance(message, ModelRequest):
            message = _with_results(message, self.waiting)
            self.waiting = []
        self.settle()
        self.messages.append(message)
        self.origins.append(min(origin, len(self.before) - 1))

    def settle(self) -> None:
        """Give the waiting results a request of their own."""
        if self.waiting:
            self.messages.append(ModelRequest(parts=self.waiting))
            self.origins.append(self.origins[-1])
            self.waiting = []


def _with_results(request: ModelRequest, results: list[ToolReturnPart]) -> ModelRequest:
    after = max((position + 1 for position, part in enumerate(request.parts) if is_tool_result(part)), default=0)
    return replace(request, parts=[*request.parts[:after], *results, *request.parts[after:]])
