"""What is wrong with a history, where, and what was done about it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from pydantic_ai.messages import ModelMessage


class Location(NamedTuple):
    """A place in a history. `str()` gives a JSON Pointer into the dumped history.

    ```python
    from pydantic_ai_history_repair import Location

    print(Location(message=3, part=1))
    #> /3/parts/1
    print(Location(message=3))
    #> /3
    ```
    """

    message: int
    """Index of the message in the history that was passed in."""

    part: int | None = None
    """Index of the part in that message; `None` means the message as a whole."""

    def __str__(self) -> str:
        return f'/{self.message}' if self.part is None else f'/{self.message}/parts/{self.part}'


class Finding(NamedTuple):
    """One thing that is wrong with a history."""

    code: str
    """Code of the rule that found it, such as `'HR101'`."""

    name: str
    """Name of that rule, such as `'dangling-tool-call'`."""

    location: Location
    """Where it is, in the history as it was passed in."""

    message: str
    """What is wrong, in one sentence. Names ids and tools, never quotes content."""

    tool_call_id: str | None = None
    """The tool call id concerned; `None` when the finding is not about a call."""

    tool_name: str | None = None
    """The tool concerned; `None` when the finding is not about a call."""

    fixable: bool = True
    """Whether a repair can be worked out from the history alone."""

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON-able data."""
        return {
            'code': self.code,
            'name': self.name,
            'location': str(self.location),
            'tool_call_id': self.tool_call_id,
            'tool_name': self.tool_name,
            'message': self.message,
            'fixable': self.fixable,
        }


class Repair(NamedTuple):
    """One thing that was done about a finding."""

    finding: Finding
    """The finding that was repaired; its location is in the history as it was passed in."""

    action: str
    """What was done: `'synthesized'`, `'removed'`, `'noted'`, `'moved'`, `'joined'`, `'replaced'`, `'merged'`, `'renamed'`,
    `'demoted'` (sent as plain text), `'added'` or `'declared'`."""

    @property
    def code(self) -> str:
        """Code of the rule, such as `'HR101'`."""
        return self.finding.code

    @property
    def name(self) -> str:
        """Name of the rule, such as `'dangling-tool-call'`."""
        return self.finding.name

    @property
    def location(self) -> Location:
        """Where the fault was, in the history as it was passed in."""
        return self.finding.location

    @property
    def tool_call_id(self) -> str | None:
        """The tool call id concerned, if any."""
        return self.finding.tool_call_id

    @property
    def tool_name(self) -> str | None:
        """The tool concerned, if any."""
        return self.finding.tool_name

    def to_dict(self) -> dict[str, Any]:
        """The repair as JSON-able data."""
        return {**self.finding.to_dict(), 'action': self.action}


@dataclass(frozen=True, kw_only=True)
class RepairReport:
    """The repaired history, and everything that was done to it."""

    messages: list[ModelMessage]
    """The repaired history. The very list that was passed in when there was nothing to repair."""

    repairs: tuple[Repair, ...] = ()
    """Every repair, in order of its place in the history that was passed in."""

    remaining: tuple[Finding, ...] = ()
    """Findings that no rule could repair, at their places in `messages`: what `check_history` finds in there."""

    first_changed_message: int | None = field(default=None, repr=False)
    """Index of the first message of `messages` that differs from the input, from which a provider's cached prompt
    prefix can have moved. `None` when nothing changed."""

    undeclared_tools: tuple[str, ...] = field(default=(), repr=False)
    """Tools that the request has to declare for the history to be accepted. Only where the request is known: in the
    capability, which declares them."""

    @property
    def changed(self) -> bool:
        """Whether `messages` differs from the history that was passed in."""
        return self.first_changed_message is not None

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many repairs were made, by code, sorted by code."""
        return dict(sorted(Counter(repair.code for repair in self.repairs).items()))

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-able data, without the messages. `version` changes when the shape does."""
        return {
            'version': 1,
            'changed': self.changed,
            'first_changed_message': self.first_changed_message,
            'counts': self.counts,
            'repairs': [repair.to_dict() for repair in self.repairs],
            'remaining': [finding.to_dict() for finding in self.remaining],
        }
