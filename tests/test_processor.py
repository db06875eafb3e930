"""`history_processor()`: the plain callable."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.capabilities import ProcessHistory

from pydantic_ai_history_repair import _processor, history_processor
from pydantic_ai_history_repair._compat import CORE_REPAIRS

from .agents import ENTRY_POINTS, ScriptedModel, calls, returns, run_through, says, shape, user

pytestmark = pytest.mark.anyio

BROKEN = [user('one'), calls('a'), user('two'), says(), returns('a'), says()]


@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_in_a_run(entry_point: str):
    """As a history processor it repairs what is sent, the displaced results that core leaves included."""
    script = ScriptedModel()
    agent: Agent[Any, Any] = Agent(script.model(), capabilities=[ProcessHistory(history_processor())])
    await run_through(entry_point, agent, 'go on', BROKEN)
    assert shape(script.seen[0])[:3] == ['request: user one', 'response: call a', 'request: return a, user two']


async def test_as_the_history_processors_of_1x():
    """On 1.x it goes into `Agent(history_processors=[...])`, which later releases do not have."""
    script = ScriptedModel()
    options: dict[str, Any] = {'history_processors': [history_processor()]}
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')  # deprecated in the last 1.x releases
        try:
            agent: Agent[Any, Any] = Agent(script.model(), **options)
        except TypeError:
            pytest.skip('gone in core 2.0')
    await agent.run('go on', message_history=BROKEN)
    assert shape(script.seen[0])[2] == 'request: return a, user two'


def test_without_a_run_context():
    """Called with the messages alone it repairs them, and refuses what is no history."""
    processor = history_processor()
    assert shape(processor(BROKEN))[2] == 'request: return a, user two'
    sound = [user('one'), says()]
    assert processor(sound) is sound
    bad: Any = 'no history'
    with pytest.raises(TypeError, match='`messages` must be a sequence of messages'):
        processor(bad)


def test_last_response():
    """The last response's calls are closed when asked to, and by default only where core does not do it."""
    open_calls = [user('one'), calls('a'), user('two')]
    assert 'synthesized' in shape(history_processor(repair_last_response=True)(open_calls))[2]
    assert 'synthesized' not in shape(history_processor(repair_last_response=False)(open_calls))[2]
    assert ('synthesized' in shape(history_processor()(open_calls))[2]) is not CORE_REPAIRS


def test_ignored_rules_and_options_that_cannot_be():
    """Options are checked when the processor is made."""
    assert history_processor(ignore=['HR101', 'HR103', 'HR201'])(BROKEN) is BROKEN
    with pytest.raises(ValueError, match=r"`ignore` must be a list of rule codes out of HR101, .*, got \['HR1'\]\."):
        history_processor(ignore=['HR1'])
    with pytest.raises(ValueError, match='`dialect` must be one of'):
        history_processor(dialect='klingon')


async def test_bug_in_this_package_cannot_break_a_run(monkeypatch: pytest.MonkeyPatch):
    """An exception inside leaves the history as it was."""

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError

    monkeypatch.setattr(_processor, 'repair_history', broken)
    script = ScriptedModel()
    agent: Agent[Any, Any] = Agent(script.model(), capabilities=[ProcessHistory(history_processor())])
    await agent.run('go on', message_history=[user('one'), says()])
    assert shape(script.seen[0]) == ['request: user one', 'response: text', 'request: user go on']
