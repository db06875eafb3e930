"""The error envelope of both OpenAI APIs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._wire_api import JsonObject


def openai_error(status: int, message: str) -> JsonObject:
    """The envelope; `type` is what clients tell errors apart by."""
    kind = 'server_error' if status >= 500 else 'rate_limit_error' if status == 429 else 'invalid_request_error'
    return {'error': {'message': message, 'type': kind, 'param': None, 'code': None}}
