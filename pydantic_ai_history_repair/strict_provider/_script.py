"""What the server answers next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

DEFAULT_SIGNATURE = 'c3RyaWN0LXByb3ZpZGVy'
"""Base64, since Gemini's clients decode signatures; the other APIs take any text."""


@dataclass(frozen=True)
class Text:
    """Text of the assistant."""

    text: str


@dataclass(frozen=True)
class ToolCall:
    """A call of one of the client's tools."""

    name: str

    args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The arguments, a JSON object."""

    id: str | None = None
    """The call's id; `None` makes one in the API's own form that the request does not contain yet."""


@dataclass(frozen=True)
class Thinking:
    """A thought of the model, in the form the API has for it."""

    text: str

    signature: str | None = DEFAULT_SIGNATURE
    """The provider's proof that the thought is its own; `None` leaves it out. Chat Completions and Mistral have none."""


@dataclass(frozen=True)
class ProviderError:
    """A refusal, whatever the request says."""

    status: int
    """The HTTP status. SDKs retry 408, 409, 429 and 5xx on their own: each attempt takes the next entry."""

    message: str = 'The strict provider was told to refuse this request.'
    """The text, put into the API's error envelope."""

    body: Mapping[str, Any] | None = None
    """A whole JSON body in place of the envelope."""


Part: TypeAlias = Text | ToolCall | Thinking
"""One piece of an answer."""

ScriptEntry: TypeAlias = Part | ProviderError | Sequence[Part]
"""One answer: a part, several parts as one turn (none at all for an empty turn), or an error."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """An answer to give, with what the request says about its form."""

    parts: tuple[Part, ...]
    serial: int
    """Counts the answers, past every number whose ids the request already holds."""

    model: str

    path: str

    body: Mapping[str, Any]
    """The request, for what it says about the form of the answer."""

    input_tokens: int

    @property
    def calls_tools(self) -> bool:
        """Whether the client has to run a tool next."""
        return any(isinstance(part, ToolCall) for part in self.parts)

    @property
    def output_tokens(self) -> int:
        """A plausible number: the real one depends on the model's tokenizer."""
        return estimate_tokens(sum(len(repr(part)) for part in self.parts))

    def part_id(self, index: int) -> str:
        """Nine letters and digits, as Mistral wants its call ids; the other APIs put a prefix before it."""
        return f'{serial_mark(self.serial)}{index:02d}'

    def call_id(self, index: int, call: ToolCall, prefix: str) -> str:
        """The id under which the client answers the call that is part `index`."""
        return f'{prefix}{self.part_id(index)}' if call.id is None else call.id


def serial_mark(serial: int) -> str:
    """What all ids of answer number `serial` have in common."""
    return f'c{serial:06d}'


def estimate_tokens(length: int) -> int:
    """About four characters a token, at least one."""
    return max(1, length // 4)


def parts_or_error(entry: object) -> tuple[Part, ...] | ProviderError:
    """A script entry in its long form; raises `TypeError` for anything else."""
    if isinstance(entry, ProviderError):
        return entry
    if isinstance(entry, Text | ToolCall | Thinking):
        return (entry,)
    if isinstance(entry, list | tuple):
        parts: list[Part] = []
        for part in entry:  # pyright: ignore[reportUnknownVariableType]
            if not isinstance(part, Text | ToolCall | Thinking):
                break
            parts.append(part)
        else:
            return tuple(parts)
    raise TypeError(
        f'`script` must hold `Text`, `ToolCall`, `Thinking` or `ProviderError`, or lists of the first three, got {entry!r}.'
    )
