"""One ordered walk over a history: which result answers which call, and which messages are neighbours.

No judgement is made here. The matching is positional, so an id that a provider hands out again in every turn can never
bind a result to another turn's call:

- a result answers the oldest call with its id that is open at that point;
- a call whose id is used again by a later response can no longer be answered;
- feedback that names no tool answers nothing, and native parts are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart

from ._compat import PART_ROLES, RETRY, is_tool_result
from ._contents import Contents
from ._findings import Finding, Location, Repair
from ._terms import Terms

SYNTHESIZED_KEY: Final = 'pydantic_ai_synthesized_tool_return'
"""Core's metadata key for a return that no tool produced."""


_TERMS: Final = Terms()

FindingOrRepairT = TypeVar('FindingOrRepairT', Finding, Repair)


class Repeat(NamedTuple):
    """A result for a call that has been answered already."""

    call: Location
    """The call, the latest one with that id."""

    answer: Location
    """The result that answered it first."""


class Pairing:
    """Which result answers which call, and what is left over.

    A *turn* is a run of responses and the run of requests after it: providers that accept consecutive messages of one
    role read them as one.
    """

    def __init__(self) -> None:
        self.dangling: list[Location] = []
        """Calls that no result answers, grouped and ordered as core closes them."""

        self.orphaned: list[Location] = []
        """Results whose id no earlier response has used."""

        self.displaced: dict[Location, Location] = {}
        """Results that stand later than the turn of the call they answer, with that call."""

        self.apart: dict[Location, Location] = {}
        """Results in the turn of the call they answer, but with another response between the two, with that call."""

        self.repeated: dict[Location, Repeat] = {}
        """Results for calls that have been answered already."""

        self.answers: list[tuple[_OpenCall, int, int]] = []
        """Each call that is answered, with message and part of its result, in the order of the results."""

        self.reuses_ids = False
        """Whether a call has no id, or one that an earlier call has."""

        self.last_response = -1
        """Index of the last response, `-1` if there is none."""


class Provenance:
    """Where the messages and parts of an edited history come from."""

    def __init__(
        self, given: Sequence[ModelMessage], origins: list[int], parts: dict[int, tuple[Location, object]]
    ) -> None:
        self.given = given
        """The history that was passed in."""

        self.origins = origins
        """For each message of the edited history, the index of the one it was made of."""

        self.parts = parts
        """For each part that was put in the place of another, by its `id`: where that one was; and the part itself, so that
        no other one gets its `id`."""

    def of(self, messages: Sequence[ModelMessage], location: Location) -> Location:
        """Where a place of the edited history was in the history that was passed in."""
        message = self.origins[location.message]
        if location.part is None:
            return Location(message)
        part = messages[location.message].parts[location.part]
        if id(part) in self.parts:
            return self.parts[id(part)][0]
        own = (position for position, given in enumerate(self.given[message].parts) if given is part)
        position = next(own, None)
        return self._places.get(id(part), Location(message)) if position is None else Location(message, position)

    @cached_property
    def _places(self) -> dict[int, Location]:
        places: dict[int, Location] = {}
        for index, message in enumerate(self.given):
            for position, part in enumerate(message.parts):
                places.setdefault(id(part), Location(index, position))
        return places


class History:
    """A list of messages, and the facts about it, each worked out when a rule first asks for it."""

    def __init__(
        self, messages: list[ModelMessage], terms: Terms = _TERMS, provenance: Provenance | None = None
    ) -> None:
        self.messages = messages

        self.terms = terms
        """What the history is judged by."""

        self.provenance = provenance
        """Where its messages and parts come from; `None` when it is the history that was passed in."""

        self.is_sound = False
        """Whether a glance showed that messages take turns and every turn's calls are answered, once each."""

        self._pairing: Pairing | None = None
        if provenance is None:  # what has just been repaired is not worth a look before a rule asks for it
            try:
                self.is_sound = _is_sound(messages)
                self._pairing = Pairing() if self.is_sound else _pair(messages)
            except (AttributeError, TypeError):
                _refuse_unreadable(messages)
                raise

    @property
    def pairing(self) -> Pairing:
        """Which result answers which call."""
        if self._pairing is None:
            self._pairing = _pair(self.messages)
        return self._pairing

    @cached_property
    def answers(self) -> list[tuple[Location, Location]]:
        """Each call that is answered, with its result. `pairing` leaves them out of a sound history."""
        answers = _pair(self.messages).answers if self.is_sound else self.pairing.answers
        return [(Location(*call[1:]), Location(*result)) for call, *result in answers]

    @cached_property
    def contents(self) -> Contents:
        """The parts by their kind."""
        return Contents(self.messages)

    @cached_property
    def frontier(self) -> int | None:
        """Index of the last response while calls of it may still be answered and are to be left open."""
        last = self.pairing.last_response
        open_calls = any(call.message == last for call in self.pairing.dangling)
        return last if open_calls and not self.terms.repair_last_response else None

    @cached_property
    def live_from(self) -> int:
        """Index of the first message in which results are left where they are.

        The results after the frontier tell core which of its calls have been answered: moving or removing one would let
        deferred results through that core refuses.
        """
        return len(self.messages) if self.frontier is None else self.frontier + 1

    def matches(self, tool_call_id: str) -> dict[Location, list[Location]]:
        """Every call with an id, in order, and the results that belong to it: its answer, then what repeats that.

        Where responses in a row use an id again, the results of their turn are matched with their calls in order, if
        there are enough of them: the earlier call cannot have been answered before the later one was made.
        """
        matches = {
            Location(message, position): list[Location]()
            for message, position, call in self.contents.calls
            if call.tool_call_id == tool_call_id
        }
        for call, answer in self.answers:
            if call in matches:
                matches[call].append(answer)
        for result, repeat in self.pairing.repeated.items():
            if repeat.call in matches:
                matches[repeat.call].append(result)
        for turn in self._turns(matches):
            results = sorted(result for call in turn for result in matches[call])
            if len({call.message for call in turn}) > 1 and len(results) >= len(turn):
                for call, result in zip(turn, results, strict=False):
                    matches[call] = [result]
                matches[turn[-1]] += results[len(turn) :]
        return matches

    def _turns(self, calls: Iterable[Location]) -> Iterable[list[Location]]:
        """Calls by the run of responses they are in."""
        turns: dict[int, list[Location]] = {}
        for call in calls:
            first = call.message
            while first and isinstance(self.messages[first - 1], ModelResponse):
                first -= 1
            turns.setdefault(first, []).append(call)
        return turns.values()

    def repeated_in_turn(self, matches: Mapping[Location, Sequence[Location]]) -> set[Location]:
        """Those of the calls with an id that are not the first of their turn.

        Responses in a row whose results are too few to answer each of them are no one turn: a later call has shut out the
        earlier one, whose result is put between the two.
        """
        repeated: set[Location] = set()
        for turn in self._turns(matches):
            answered_together = sum(len(matches[call]) for call in turn) >= len(turn)
            seen: set[int] = set()
            for call in turn:
                if call.message in seen or (answered_together and seen):
                    repeated.add(call)
                seen.add(call.message)
        return repeated

    @cached_property
    def neighbours(self) -> list[int]:
        """Messages that follow one of their own kind."""
        if self.is_sound:
            return []
        kinds = [message.kind for message in self.messages]
        return [index for index, kind in enumerate(kinds) if index and kind == kinds[index - 1]]

    @cached_property
    def split(self) -> list[int]:
        """Requests with something between two of their tool results."""
        if self.is_sound:
            return []
        return [index for index, message in enumerate(self.messages) if len(message.parts) > 2 and _is_split(message)]

    def in_input(self, found: FindingOrRepairT) -> FindingOrRepairT:
        """A finding or repair with its location in the history that was passed in."""
        if self.provenance is None:
            return found
        if isinstance(found, Repair):
            return found._replace(finding=self.in_input(found.finding))
        return found._replace(location=self.provenance.of(self.messages, found.location))

    def call(self, location: Location) -> ToolCallPart:
        """The tool call at a location."""
        part = self.messages[location.message].parts[location.part or 0]
        assert isinstance(part, ToolCallPart)
        return part

    def result(self, location: Location) -> ToolReturnPart:
        """The tool result at a location."""
        part = self.messages[location.message].parts[location.part or 0]
        assert is_tool_result(part)
        return part


def is_synthesized(part: ToolReturnPart) -> bool:
    """Whether no tool produced a result: core or this package made it for a dangling call."""
    metadata: Any = getattr(part, 'metadata', None)
    try:
        return bool(metadata[SYNTHESIZED_KEY])
    except Exception:  # metadata is the application's, and may be anything
        return False


def synthesized_tool_call_ids(messages: Sequence[ModelMessage]) -> set[str]:
    """The ids of calls that were closed without a result of their tool."""
    parts = (part for message in messages for part in message.parts)
    return {part.tool_call_id for part in parts if is_tool_result(part) and is_synthesized(part)}


def _is_sound(messages: Sequence[ModelMessage]) -> bool:
    """Whether messages alternate and every turn's calls are answered, once each and together, by the next message.

    Almost every history is like this and then has no facts to find, at a fraction of the price of the walk.
    """
    unanswered: set[str] = set()
    previous: type | None = None
    for message in messages:
        kind = type(message)
        if kind is previous:
            return False
        previous = kind
        if kind is ModelRequest:
            answers = 0
            for part in message.parts:
                if not isinstance(part, ToolReturnPart) and (
                    PART_ROLES[type(part)] != RETRY or not is_tool_result(part)
                ):
                    continue
                if part.tool_call_id not in unanswered or part is not message.parts[answers]:
                    return False
                unanswered.remove(part.tool_call_id)
                answers += 1
            if unanswered:
                return False
        elif kind is ModelResponse:
            for part in message.parts:
                if isinstance(part, ToolCallPart):
                    if part.tool_call_id in unanswered or not part.tool_call_id:
                        return False
                    unanswered.add(part.tool_call_id)
        else:
            return False  # a subclass, or no message
    return not unanswered


def _refuse_unreadable(messages: Sequence[Any]) -> None:
    """Say which message cannot be read, and why.

    Raises:
        TypeError: If one cannot.
    """
    for index, message in enumerate(messages):
        if not isinstance(message, ModelRequest | ModelResponse):
            raise TypeError(
                f'`messages[{index}]` must be a `ModelRequest` or a `ModelResponse`, got {type(message).__name__!r}.'
            )
        parts: Any = message.parts
        if not isinstance(parts, Sequence):
            raise TypeError(f'`messages[{index}].parts` must be a sequence of parts, got {type(parts).__name__!r}.')
        for position, part in enumerate(message.parts):
            id = getattr(part, 'tool_call_id', '')
            if not isinstance(id, str | None):
                raise TypeError(
                    f'`messages[{index}].parts[{position}].tool_call_id` must be a string, got {type(id).__name__!r}.'
                )


_OpenCall = tuple[int, int, int]
"""Turn, message and part of a call: a bare tuple, since the walk makes one for every call."""


def _pair(messages: Sequence[Any]) -> Pairing:
    pairing = Pairing()
    open_calls: dict[str, list[_OpenCall]] = {}
    # An id stays in `open_calls` once seen: that tells an orphan from a repeat, and the order of first use is the order
    # in which core closes calls.
    answered: dict[str, tuple[_OpenCall, int, int]] = {}
    turn = 0
    after_request = False
    for index, message in enumerate(messages):
        if isinstance(message, ModelResponse):
            turn += after_request
            after_request = False
            pairing.last_response = index
            for position, part in enumerate(message.parts):
                if not isinstance(part, ToolCallPart):
                    continue
                calls = open_calls.get(part.tool_call_id)
                if calls is None:
                    open_calls[part.tool_call_id] = [(turn, index, position)]
                    continue
                pairing.reuses_ids = True
                if calls and calls[-1][1] != index:
                    pairing.dangling += [Location(*shadowed) for _, *shadowed in calls]
                    calls.clear()
                calls.append((turn, index, position))
        elif isinstance(message, ModelRequest):
            after_request = True
            for position, part in enumerate(message.parts):
                if not isinstance(part, ToolReturnPart) and (
                    PART_ROLES[type(part)] != RETRY or not is_tool_result(part)
                ):
                    continue
                calls = open_calls.get(part.tool_call_id)
                if calls is None:
                    pairing.orphaned.append(Location(index, position))
                elif not calls:
                    (_, *call), *answer = answered[part.tool_call_id]
                    pairing.repeated[Location(index, position)] = Repeat(Location(*call), Location(*answer))
                else:
                    call = calls.pop(0)
                    answered[part.tool_call_id] = (call, index, position)
                    pairing.answers.append((call, index, position))
                    if call[1] != pairing.last_response:
                        late = pairing.displaced if call[0] != turn else pairing.apart
                        late[Location(index, position)] = Location(*call[1:])
        else:
            raise TypeError(f'no message: {type(message).__name__!r}')
    pairing.reuses_ids |= '' in open_calls
    for calls in open_calls.values():
        pairing.dangling += [Location(*dangling) for _, *dangling in calls]
    return pairing


def _is_split(message: ModelMessage) -> bool:
    if not isinstance(message, ModelRequest):
        return False
    places = [position for position, part in enumerate(message.parts) if is_tool_result(part)]
    return bool(places) and places[-1] - places[0] != len(places) - 1
