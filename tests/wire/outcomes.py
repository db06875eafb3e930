"""What each target makes of each shape, with the package and without."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import NamedTuple

from .reported import SHAPES, Shape
from .targets import TARGETS, Sent, Wire, connected


class Outcome(NamedTuple):
    """One shape on one target."""

    core: Sent
    """With Pydantic AI alone."""

    repaired: Sent
    """With `RepairHistory`."""

    @property
    def word(self) -> str:
        """The outcome in a word."""
        if self.core.accepted and self.repaired.accepted:
            return 'ok'
        if self.repaired.accepted:
            return 'repaired'
        if self.core.refused_by_framework and self.core.refused_by_framework == self.repaired.refused_by_framework:
            return 'raises'
        return 'refused'


@cache
def outcomes(target: str) -> dict[str, Outcome]:
    """Every shape on one target, by the shape's name."""
    return asyncio.run(_outcomes(target))


async def _outcomes(target: str) -> dict[str, Outcome]:
    async with connected(TARGETS[target]) as wire:
        return {
            shape.name: Outcome(await _send(wire, shape, False), await _send(wire, shape, True))
            for shape in SHAPES.values()
        }


async def _send(wire: Wire, shape: Shape, repaired: bool) -> Sent:
    return await wire.send(
        shape.history(), repaired=repaired, tools=shape.tools, processor=shape.processor, settings=shape.settings
    )
