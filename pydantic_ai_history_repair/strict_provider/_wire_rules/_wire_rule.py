"""A rule of a provider's API: one constant beside the function that looks for breaches of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic_ai_history_repair.strict_provider._json import pointer
from pydantic_ai_history_repair.strict_provider._violations import WireViolation

if TYPE_CHECKING:
    from pydantic_ai_history_repair.strict_provider._json import Path


@dataclass(frozen=True, kw_only=True)
class WireRule:
    """What a provider enforces, what it answers, and where that is known from."""

    code: str
    """Stable name of the rule."""

    summary: str
    """What the provider demands."""

    provider_error: str
    """The text the provider answers with; `{...}` marks what differs from request to request."""

    source: str
    """Where the demand or the text can be read."""

    families: tuple[str, ...] = ()
    """Model families it holds for, empty where it holds for all of the API."""

    status: int = 400
    """HTTP status of the answer."""

    checked: str = '2026-11-30'
    """When the source was looked up."""

    literal: bool = True
    """Whether `provider_error` is quoted; `False` where only the refusal itself is known."""

    def broken(self, path: Path, message: str, **values: object) -> WireViolation:
        """The violation at a place of the body, with the provider's text filled in."""
        return WireViolation(
            code=self.code,
            pointer=pointer(path),
            message=message,
            provider_error=self.provider_error.format(**values),
            status=self.status,
        )
