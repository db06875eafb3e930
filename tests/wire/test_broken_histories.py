"""Histories broken at random: with the package every target takes each of them, whole."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, SystemPromptPart, ToolCallPart

from pydantic_ai_history_repair import dialect_for, repair_history

from .broken import broken, valid
from .targets import TARGETS, Sent, Target, Wire, connected
from .texts import texts

_PROFILE = os.environ.get('HYPOTHESIS_PROFILE', 'ci' if os.environ.get('CI') else 'dev')
THROUGH_AGENTS, DIRECTLY, VALID = (200, 1800, 200) if _PROFILE == 'ci' else (20, 80, 20)
"""How many histories each target gets."""


DEMANDS_MORE = 'minimax-anthropic'
"""Its dialect takes the demand for distinct ids from the vendor's other API: the strict provider does not see it."""

pytestmark = pytest.mark.anyio


@pytest.fixture(params=TARGETS)
async def wire(request: pytest.FixtureRequest) -> AsyncGenerator[Wire]:
    async with connected(TARGETS[request.param]) as wire:
        yield wire


def complaint(seed: int, wire: Wire, sent: Sent) -> str | None:
    """What is wrong with what became of a broken history."""
    if not sent.accepted:
        if is_reported(broken(seed), wire) or is_announced_between(broken(seed), wire.target):
            return None
        return f'{seed}: {sent.codes} {sent.error!r}'
    missing = sent.lacks(texts(broken(seed)))
    return f'{seed}: lost {missing}' if missing else None


def is_reported(history: list[ModelMessage], wire: Wire) -> bool:
    """Whether what is wrong cannot be repaired, and is said to remain: signed thinking behind a call, say."""
    return bool(repair_history(history, dialect=dialect_for(wire.model)).remaining)


def is_announced_between(history: list[ModelMessage], target: Target) -> bool:
    """Whether Pydantic AI itself puts words between call and result, after anything that this package could do.

    Where a model has no late system messages and the history begins with a response, it announces behind the first
    request that there are some later on.
    """
    late = any(isinstance(part, SystemPromptPart) for message in history for part in message.parts)
    return target.name in ('deepseek', 'kimi') and isinstance(history[0], ModelResponse) and late


async def complaint_of_a_run(seed: int, wire: Wire) -> str | None:
    """What is wrong with a run on a broken history, unless Pydantic AI refuses it with `RepairHistory` as without."""
    sent = await wire.send(broken(seed), repaired=True)
    if not sent.refused_by_framework:
        return complaint(seed, wire, sent)
    without = await wire.send(broken(seed), repaired=False)
    same = sent.refused_by_framework == without.refused_by_framework
    return None if same else f'{seed}: {sent.error!r}, not {without.error!r}'


async def test_accepted_through_agents(wire: Wire) -> None:
    """A run is accepted with `RepairHistory`, and nothing is lost, or it raises what it raises without."""
    complaints = [await complaint_of_a_run(seed, wire) for seed in range(THROUGH_AGENTS)]
    assert list(filter(None, complaints)) == []


async def test_accepted_directly(wire: Wire) -> None:
    """A request is accepted with the repair that runs before each request, and nothing is lost."""
    seeds = range(THROUGH_AGENTS, THROUGH_AGENTS + DIRECTLY)
    with wire.without_http():
        suspects = [seed for seed in seeds if complaint(seed, wire, await wire.send_directly(broken(seed)))]
        # An agent does a little more before a request, so it has the last word.
        complaints = [await complaint_of_a_run(seed, wire) for seed in suspects]
    assert list(filter(None, complaints)) == []


async def test_valid_histories_are_left_alone(wire: Wire) -> None:
    """What is accepted from Pydantic AI alone is sent as the same bytes with `RepairHistory`."""
    compared = 0
    with wire.without_http():
        for seed in range(VALID):
            without = await wire.send(valid(seed), repaired=False)
            if without.accepted and not (wire.target.name == DEMANDS_MORE and uses_an_id_twice(valid(seed))):
                compared += 1
                assert (await wire.send(valid(seed), repaired=True)).text == without.text, seed
    assert compared > VALID / 5


def uses_an_id_twice(history: list[ModelMessage]) -> bool:
    ids = [part.tool_call_id for message in history for part in message.parts if isinstance(part, ToolCallPart)]
    return len(set(ids)) < len(ids)
