"""Which blocks stand in which turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ._json import Object, Path


@dataclass(frozen=True, kw_only=True)
class Block:
    """One content block of a message (Google calls it a part)."""

    path: Path
    kind: str
    data: Object

    @property
    def message(self) -> Path:
        """Path of the message that holds the block."""
        return self.path[:2]


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What one side says before the other does; several messages where the provider joins them."""

    path: Path
    role: str
    blocks: tuple[Block, ...] = ()

    def of(self, *kinds: str) -> list[Block]:
        """The blocks of these kinds, in order."""
        return [block for block in self.blocks if block.kind in kinds]


def merge_same_role(messages: Iterable[Turn]) -> list[Turn]:
    """The turns as a provider sees them that joins consecutive messages of one role."""
    turns: list[Turn] = []
    for message in messages:
        if turns and turns[-1].role == message.role:
            turns[-1] = replace(turns[-1], blocks=turns[-1].blocks + message.blocks)
        else:
            turns.append(message)
    return turns
