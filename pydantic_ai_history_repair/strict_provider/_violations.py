"""One broken rule in one request body."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class WireViolation:
    """A rule of the provider's API that a request body breaks."""

    code: str
    """Stable name of the rule, such as `'anthropic-call-without-result'`."""

    pointer: str
    """JSON Pointer (RFC 6901) to the offending place in the body, such as `'/messages/3/content/0'`."""

    message: str
    """What is wrong, in one sentence; names ids and tools, never quotes content."""

    provider_error: str
    """The text the provider answers with, with the request's own positions and ids filled in."""

    status: int = 400
    """HTTP status the provider answers with."""
