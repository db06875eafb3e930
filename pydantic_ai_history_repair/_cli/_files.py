"""Stored histories, read from files."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter


class UnreadableHistory(Exception):
    """A file that holds no history; the text says what is wrong with it, without quoting it."""


def read_history(path: Path) -> list[ModelMessage]:
    """The history in a file: a JSON array, as `ModelMessagesTypeAdapter.dump_json` or `all_messages_json()` gives it.

    Raises:
        UnreadableHistory: If the file cannot be read, is no JSON, or holds something that is no message.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnreadableHistory(f'{path}: {error.strerror or type(error).__name__}.') from None
    try:
        return ModelMessagesTypeAdapter.validate_json(content)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ''.join(f'/{step}' for step in first['loc'])
        more = error.error_count() - 1
        hint = " They look like messages in a provider's own format." if b'"role"' in content else ''
        raise UnreadableHistory(
            f'{path}: must be a JSON array of Pydantic AI messages; at {place or "the top"}: {first["msg"]}'
            + (f' ({more} more errors)' if more else '')
            + hint
        ) from None
