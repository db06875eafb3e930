"""How the repairs of one phase become one new list of messages.

Rules say what they want in terms of the history they were given, so their edits never shift under each other. Messages
that no edit names come out as the same objects.
"""

from __future__ import annotations

from dataclasses import replace

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ToolReturnPart,
)

from ._compat import is_tool_result
from ._findings import Location
from ._history import History


class Edits:
    """Edits to a history, none of them applied yet."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._parts: dict[Location, ToolReturnPart | None] = {}
        self._answers: dict[int, list[ToolReturnPart | Location]] = {}
        self._messages: dict[int, ModelMessage | None] = {}

    def __bool__(self) -> bool:
        return bool(self._parts or self._answers or self._messages)

    def remove(self, location: Location) -> None:
        """Leave a part out. A request that this empties goes too, unless it is the last message."""
        self._parts[location] = None

    def replace_result(self, location: Location, part: ToolReturnPart) -> None:
        """Put another result in the place of one, wherever that one is moved to."""
        self._parts[location] = part

    def result(self, location: Location) -> ToolReturnPart:
        """The result at a location, as edited so far."""
        return self._parts.get(location) or self._history.result(location)

    def answer(self, response: int, result: ToolReturnPart | Location) -> None:
        """Add a result, new or moved from elsewhere, after the other results for a response's calls."""
        self._answers.setdefault(response, []).append(result)

    def replace_message(self, index: int, message: ModelMessage) -> None:
        """Put another message in the place of one."""
        self._messages[index] = message

    def drop_message(self, index: int) -> None:
        """Leave a message out."""
        self._messages[index] = None

    def message(self, index: int) -> ModelMessage:
        """The message at an index, as edited so far."""
        return self._messages.get(index) or self._history.messages[index]

    def apply(self) -> History:
        """The history with every edit applied. Costs next to nothing for the messages that no edit names."""
        before = self._history.messages
        result = _Result(before)
        moved = {place for places in self._answers.values() for place in places if isinstance(place, Location)}
        touched = {location.message for location in (*self._parts, *moved)}
        for index in sorted({*touched, *self._answers, *self._messages}):
            result.copy_until(index)
            message = self._messages.get(index, before[index])
            if index in touched and isinstance(message, ModelRequest):
                message = self._without_removed(index, message, moved)
                if not message.parts and index != len(before) - 1:
                    message = None
            result.add(index, message)
            if index in self._answers:
                result.waiting = [self._settled(answer) for answer in self._answers[index]]
        result.copy_until(len(before))
        result.settle()
        return History(result.messages, self._history.repair_last_response, result.origins)

    def _settled(self, answer: ToolReturnPart | Location) -> ToolReturnPart:
        return self.result(answer) if isinstance(answer, Location) else answer

    def _without_removed(self, index: int, request: ModelRequest, moved: set[Location]) -> ModelRequest:
        parts: list[ModelRequestPart] = []
        for position, part in enumerate(request.parts):
            location = Location(index, position)
            edited = self._parts.get(location, part)
            if edited is not None and location not in moved:
                parts.append(edited)
        return replace(request, parts=parts)


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
        self.messages += self.before[self.taken : end]
        self.origins += range(self.taken, end)
        self.taken = end

    def add(self, index: int, message: ModelMessage | None) -> None:
        """Take over one message, edited; `None` leaves it out."""
        self.taken = index + 1
        if message is not None:
            if self.waiting and isinstance(message, ModelRequest):
                message = _with_results(message, self.waiting)
                self.waiting = []
            self.settle()
            self.messages.append(message)
            self.origins.append(index)

    def settle(self) -> None:
        """Give the waiting results a request of their own."""
        if self.waiting:
            self.messages.append(ModelRequest(parts=self.waiting))
            self.origins.append(self.origins[-1])
            self.waiting = []


def _with_results(request: ModelRequest, results: list[ToolReturnPart]) -> ModelRequest:
    after = max((position + 1 for position, part in enumerate(request.parts) if is_tool_result(part)), default=0)
    return replace(request, parts=[*request.parts[:after], *results, *request.parts[after:]])
