"""What every rule has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History

Phase = Literal['pairing', 'shape']
"""Rules of one phase see the same history and edit it together; pairing is settled before messages change shape."""


class Rule(ABC):
    """One thing a provider rejects, how to find it and how to repair it.

    The docstring of a rule is its documentation. `check` and `fix` stand side by side and `fix` gets the findings of
    `check`, so the two cannot disagree.
    """

    code: ClassVar[str]
    """Stable for ever, never used again for another rule."""

    name: ClassVar[str]
    """The pattern it finds, never the remedy."""

    since: ClassVar[str]
    """The release that added it."""

    phase: ClassVar[Phase] = 'pairing'
    """When it runs."""

    @abstractmethod
    def check(self, history: History) -> list[Finding]:
        """Everything this rule finds wrong, located in `history`."""

    @abstractmethod
    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        """Say in `edits` how to repair this rule's own `findings`."""

    def finding(self, location: Location, message: str, *, tool_call_id: str, tool_name: str) -> Finding:
        """A finding of this rule about a tool call or a tool result."""
        return Finding(
            code=self.code,
            name=self.name,
            location=location,
            message=message,
            tool_call_id=tool_call_id,
            tool_name=tool_name,
        )
