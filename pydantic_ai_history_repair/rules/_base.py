"""What every rule has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Literal

from pydantic_ai.messages import ToolCallPart, ToolReturnPart

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History

Scope = Literal['neutral', 'wire']

Phase = Literal['ids', 'pairing', 'parts', 'emptied', 'shape', 'gathering', 'order', 'ends', 'whole']
"""Rules of one phase see the same history and edit it together. Phases run in this order, each on what the one before it
left: ids first, since results are matched by them; then which result answers which call; then single parts; then which
messages there are, what stands where in them, and what the conversation starts and ends with."""


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

    scope: ClassVar[Scope] = 'neutral'
    """Whether it holds for every provider, so that its repair may be stored, or goes by the facts of a dialect."""

    def __repr__(self) -> str:
        return self.code

    @abstractmethod
    def check(self, history: History) -> list[Finding]:
        """Everything this rule finds wrong, located in `history`."""

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        """Say in `edits` how to repair this rule's own `findings`, all of which are fixable."""
        raise NotImplementedError  # a rule that only ever reports

    def finding(
        self,
        location: Location,
        message: str,
        *,
        about: ToolCallPart | ToolReturnPart | None = None,
        fixable: bool = True,
    ) -> Finding:
        """A finding of this rule, about a tool call or a tool result if it is."""
        return Finding(
            code=self.code,
            name=self.name,
            location=location,
            message=message,
            tool_call_id=about.tool_call_id if about else None,
            tool_name=about.tool_name if about else None,
            fixable=fixable,
        )
