"""Every reported shape on every target: with the package it is accepted, whole."""

from __future__ import annotations

import pytest
from pydantic_ai import UserError

from .outcomes import outcomes
from .reported import SHAPES
from .targets import TARGETS

WAITING = 'one id for two calls that wait'
"""The calls may be waiting for an approval: Pydantic AI refuses a new prompt, and so it stays."""

UNREPAIRABLE = (
    ('bedrock', 'a tool loop without thinking, with thinking on'),
    ('bedrock', 'thinking that lost its signature, with thinking on'),
)
"""Only the provider can sign thinking: HR505 says so, and changes nothing."""

CASES = [(target, shape) for target in TARGETS for shape in SHAPES if shape != WAITING]


@pytest.mark.parametrize(('target', 'shape'), [case for case in CASES if case not in UNREPAIRABLE])
def test_accepted_with_the_package(target: str, shape: str) -> None:
    """The provider takes what is sent with `RepairHistory`."""
    sent = outcomes(target)[shape].repaired
    assert sent.accepted, (sent.codes, sent.error)


@pytest.mark.parametrize(('target', 'shape'), CASES)
def test_nothing_is_lost(target: str, shape: str) -> None:
    """Each text, and each result whose call came before it, is in the body that is sent."""
    assert outcomes(target)[shape].repaired.lacks(SHAPES[shape].texts) == []


@pytest.mark.parametrize('target', TARGETS)
def test_calls_that_wait_are_refused_as_before(target: str) -> None:
    """Pydantic AI's own refusal stays the same one."""
    core, repaired = outcomes(target)[WAITING]
    assert isinstance(core.error, UserError)
    assert str(core.error).startswith('Cannot provide a new user prompt')
    assert core.refused_by_framework == repaired.refused_by_framework


@pytest.mark.parametrize(('target', 'shape'), UNREPAIRABLE)
def test_what_cannot_be_repaired_is_sent_as_it_is(target: str, shape: str) -> None:
    """The body is the same, and refused for the same reason."""
    core, repaired = outcomes(target)[shape]
    assert core.text == repaired.text
    assert core.codes == repaired.codes == ('anthropic-must-start-with-thinking',)
