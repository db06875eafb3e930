"""The parts of a history by their kind, gathered in one go for all the rules that look at parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pydantic_ai.messages import (
    ModelMessage,
    NativeToolCallPart,
    NativeToolReturnPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from ._compat import PART_ROLES, RETRY, is_tool_result

Place = tuple[int, int, Any]
"""Message index, part index and the part: a bare tuple, since one is made for every part."""

_UNNAMED: Final = 0
_KINDS: Final = (
    ToolCallPart,
    ToolReturnPart,
    TextPart,
    UserPromptPart,
    ThinkingPart,
    NativeToolCallPart,
    SystemPromptPart,
)
_RESULT: Final = 2
_KINDS_OF_TYPES: Final[dict[type, int]] = {}


class Contents:
    """The parts of each kind, and where they are."""

    def __init__(self, messages: Sequence[ModelMessage]) -> None:
        places: list[list[Place]] = [[] for _ in range(len(_KINDS) + 1)]
        for index, message in enumerate(messages):
            for position, part in enumerate(message.parts):
                kind = _KINDS_OF_TYPES.get(type(part))
                if kind is None:
                    kind = _kind(part)
                places[kind].append((index, position, part))
        self.others, self.calls, self.results, self.texts, self.prompts, self.thinking, self.native, self.systems = (
            places
        )
        """`native` holds calls and results of native tools, `others` what has no list of its own."""


def _kind(part: object) -> int:
    if PART_ROLES[type(part)] == RETRY:  # a result only when it names a tool
        return _RESULT if is_tool_result(part) else _UNNAMED
    part_type: type[Any] = type(part)
    known = NativeToolCallPart if issubclass(part_type, NativeToolReturnPart) else part_type
    kind = next((number for number, base in enumerate(_KINDS, 1) if issubclass(known, base)), _UNNAMED)
    _KINDS_OF_TYPES[part_type] = kind
    return kind


def is_said(part: object) -> bool:
    """Whether a part of a response is something that the model said: no empty text, and no call of any kind."""
    if isinstance(part, TextPart | ThinkingPart):
        return bool(part.content) or (isinstance(part, ThinkingPart) and bool(part.signature))
    return not isinstance(part, ToolCallPart | NativeToolCallPart | NativeToolReturnPart)
