"""What must not get lost when a history is repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic_ai.messages import ModelMessage, TextPart, ToolCallPart, UserPromptPart

from pydantic_ai_history_repair._compat import is_tool_result


def texts(history: Sequence[ModelMessage]) -> list[str]:
    """Each text of the user and of the model, and the content of each result whose call came before it.

    Of several results with one id, those of another tool than the call's are orphans; a call whose id a later response
    uses again can no longer be answered.
    """
    return [text for text in _texts(history) if text.strip()]


def _texts(history: Sequence[ModelMessage]) -> Iterator[str]:
    results = Counter(part.tool_call_id for message in history for part in message.parts if is_tool_result(part))
    called: dict[str, tuple[int, set[str | None]]] = {}
    for index, message in enumerate(history):
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                made_in, names = called.get(part.tool_call_id, (index, set[str | None]()))
                called[part.tool_call_id] = index, {*(names if made_in == index else ()), part.tool_name, None}
            elif is_tool_result(part):
                name = part.tool_name if results[part.tool_call_id] > 1 else None
                if part.tool_call_id in called and name in called[part.tool_call_id][1]:
                    yield from _strings(part.content)
            elif isinstance(part, UserPromptPart | TextPart):
                yield from _strings(part.content)


def _strings(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for item in content:  # pyright: ignore[reportUnknownVariableType]
            yield from _strings(item)
