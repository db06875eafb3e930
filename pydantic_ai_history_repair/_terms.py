"""What a history is judged by, besides the rules."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from .dialects import Dialect

OrphanedResults = Literal['drop', 'note']


def resolve_orphaned_results(value: OrphanedResults) -> OrphanedResults:
    """The value of the option that a user gave.

    Raises:
        ValueError: If there is no such value.
    """
    if value not in get_args(OrphanedResults):
        raise ValueError(f"`orphaned_results` must be 'drop' or 'note', got {value!r}.")
    return value


class RequestFacts(NamedTuple):
    """What is known of the request that a history is sent with."""

    declares_tools: bool
    """Whether it declares a tool."""

    thinks: bool
    """Whether thinking with a budget is switched on."""


class Terms(NamedTuple):
    """What a history is judged by, besides the rules."""

    dialect: Dialect | None = None
    """The wire API that it is for; `None` for the provider-neutral rules only."""

    repair_last_response: bool = True
    """Whether calls in the last response are closed like any other. `False` protects the live frontier."""

    orphaned_results: OrphanedResults = 'drop'
    """What becomes of a result without its call."""

    request: RequestFacts | None = None
    """The request that it is sent with; `None` when it is not being sent."""
