"""What differs between releases of Pydantic AI: each answer holds on the release the suite runs on."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import pytest
from pydantic_ai import Agent, messages
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolReturnPart
from pydantic_ai.models import ModelRequestParameters

from pydantic_ai_history_repair import _capability, _compat, repair_history

from .agents import ScriptedModel, calls, returns, run_through, says, shape, user

pytestmark = pytest.mark.anyio

HOOKS = {'wrap': 'wrap_model_request', 'before': 'before_model_request', 'prepare': 'prepare_model_request'}


def capability_on(monkeypatch: pytest.MonkeyPatch, hook: str) -> Any:
    """The module of the capability as it is on a release with another hook."""
    monkeypatch.setattr(_compat, 'MODEL_REQUEST_HOOK', hook)
    spec = importlib.util.spec_from_file_location(f'{_capability.__name__}_{hook}', _capability.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


class Trim(AbstractCapability[Any]):
    """Loses the results of `a` on the way to the model."""

    async def before_model_request(self, ctx: Any, request_context: Any) -> Any:
        kept = [message for message in request_context.messages if not shape([message])[0].endswith('return a')]
        request_context.messages = kept
        return request_context


@pytest.mark.parametrize('hook', HOOKS)
async def test_each_hook_repairs_what_is_sent(monkeypatch: pytest.MonkeyPatch, hook: str):
    """Whichever of the three hooks a release offers, what goes out is valid and only that hook is there."""
    if not hasattr(AbstractCapability, HOOKS[hook]):
        pytest.skip(f'this core has no {HOOKS[hook]}')
    repairing = capability_on(monkeypatch, hook).RepairHistory
    assert [name for name in HOOKS.values() if name in vars(repairing)] == [HOOKS[hook]]
    script = ScriptedModel()
    agent: Agent[Any, Any] = Agent(script.model(), capabilities=[repairing(), Trim()])
    history = [user('one'), calls('a', model_name='m'), returns('a'), says(model_name='m'), returns('gone'), says()]
    await agent.run('go on', message_history=history)
    assert shape(script.seen[0])[2] == 'request: synthesized a'


async def test_tail_that_core_closes_is_settled_late(monkeypatch: pytest.MonkeyPatch):
    """Where `iter` calls no hook before the first request, an interrupted tail is settled there."""
    if 'state' not in ModelRequest.__dataclass_fields__:
        pytest.skip('requests have no state before core 2.0')
    module = capability_on(monkeypatch, 'wrap')
    shown: list[Any] = []

    class Watched(module.RepairHistory):
        async def before_node_run(self, ctx: Any, *, node: Any) -> Any:
            return node

        def _show_stored(self, ctx: Any, report: Any, before: Any) -> None:
            shown.extend(report.repairs)

    script = ScriptedModel()
    agent: Agent[Any, Any] = Agent(script.model(), capabilities=[Watched()])
    history = [user('one'), calls('a', 'b'), returns('a', state='interrupted')]
    stored = await run_through('iter', agent, 'go on', history)
    assert shape(stored)[2] == 'request: return a, synthesized b'
    assert [repair.tool_call_id for repair in shown] == ['b']


@pytest.mark.parametrize('core_repairs', [False, True])
async def test_tail_that_got_deferred_results_is_not_told(monkeypatch: pytest.MonkeyPatch, core_repairs: bool):
    """An interrupted tail whose calls were answered after all was not repaired by anybody."""
    tail = SettlingTail(monkeypatch, core_repairs, [calls('a'), returns('a')])
    assert tail.settled() == (['response: call a', 'request: return a'], [])


async def test_tail_that_nobody_has_closed_is_closed_late(monkeypatch: pytest.MonkeyPatch):
    """Before 2.10 an interrupted tail is closed at the first request, by which time deferred results have answered."""
    tail = SettlingTail(monkeypatch, False, [calls('a'), returns('x')])
    assert tail.settled() == (['response: call a', 'request: return x, synthesized a'], ['a'])


class SettlingTail:
    """What the first request makes of a history whose call `a` was interrupted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, core_repairs: bool, messages: list[Any]) -> None:
        module = capability_on(monkeypatch, 'wrap')
        monkeypatch.setattr(module, 'CORE_REPAIRS', core_repairs)
        self.messages = messages
        self.shown: list[Any] = []
        self.capability = module.RepairHistory()
        self.capability._run.tail = repair_history([calls('a')])
        monkeypatch.setattr(self.capability, '_show_stored', self.show)

    def show(self, _ctx: Any, report: Any, _before: Any) -> None:
        self.shown += [repair.tool_call_id for repair in report.repairs]

    def settled(self) -> tuple[list[str], list[str]]:
        self.capability._settle_tail_late(self)
        assert self.capability._run.tail is None
        return shape(self.messages), self.shown


async def test_core_that_would_refuse_the_prompt_never_sees_the_cut_off_calls(monkeypatch: pytest.MonkeyPatch):
    """Before 2.10 the calls of a cancelled stream are closed before core looks at them."""
    monkeypatch.setattr(_capability, 'CORE_REPAIRS', False)
    script = ScriptedModel()
    agent: Agent[Any, Any] = Agent(script.model(), capabilities=[_capability.RepairHistory()])
    await agent.run('go on', message_history=[user('one'), calls('a', state='interrupted')])
    assert shape(script.seen[0])[2] == 'request: synthesized a, user go on'


def test_orphans_that_core_counts_stay(monkeypatch: pytest.MonkeyPatch):
    """Before 2.10 an orphan stays in stored history while calls are open: core counts it as an answer."""
    monkeypatch.setattr(_capability, 'CORE_REPAIRS', False)
    capability = _capability.RepairHistory[Any]()
    open_calls, answered = [calls('a'), returns('x')], [calls('a'), returns('a')]
    assert 'HR102' not in [rule.code for rule in capability._rules_for_stored(open_calls)]
    assert 'HR102' in [rule.code for rule in capability._rules_for_stored(answered)]


async def test_suspended_response_is_resumed_where_it_stands():
    """No message in front of a suspended response comes or goes: core resumes it by its place."""
    states = str(ModelResponse.__dataclass_fields__['state'].type)
    if 'suspended' not in str(getattr(messages, 'ModelResponseState', states)):
        pytest.skip('this core suspends no responses')
    late = [user('q'), calls('a', model_name='m'), user('w'), says('old', model_name='m'), returns('a')]
    suspended = [*late, says('part', model_name='m', state='suspended')]
    runs: list[list[str]] = []
    for capabilities in ([], [_capability.RepairHistory()]):
        agent: Agent[Any, Any] = Agent(ScriptedModel().model(), capabilities=capabilities)
        runs.append(shape((await agent.run(message_history=suspended)).new_messages()))
    assert runs[0] == runs[1]


def test_calls_of_a_suspended_response_are_still_to_come():
    """A history that ends on a response is sent to be continued: its calls are not closed."""

    class Resumed:
        messages: list[Any] = [user('one'), calls('a')]
        model = tracer = model_settings = None
        model_request_parameters = ModelRequestParameters()
        run_step = 1

    resumed: Any = Resumed()
    _capability.RepairHistory[Any]()._repair_outgoing(resumed, resumed)
    assert shape(resumed.messages) == ['request: user one', 'response: call a']


def test_innermost():
    """What other capabilities do to the messages comes first."""
    ordering = _capability.RepairHistory[Any]().get_ordering()
    assert ordering is not None
    assert ordering.position == 'innermost'


def test_nothing_to_send():
    """A request without messages is left to core to refuse."""

    class Empty:
        messages: list[Any] = []
        model = None

    empty: Any = Empty()
    _capability.RepairHistory[Any]()._repair_outgoing(empty, empty)
    assert empty.messages == []


def test_interrupted_outcome_is_one_that_loads():
    """The outcome of a synthesized return is one that this release's own schema has."""
    from pydantic_ai.messages import ModelMessagesTypeAdapter

    part = ToolReturnPart('act', 'x', tool_call_id='a', outcome=_compat.INTERRUPTED_OUTCOME)
    dumped = ModelMessagesTypeAdapter.dump_json([ModelRequest(parts=[part])])
    assert ModelMessagesTypeAdapter.validate_json(dumped)[0].parts == [part]


def test_role_of_a_part_type_that_is_not_known():
    """A type that is no tool result is none of our business."""
    assert _compat.PART_ROLES[TextPart] == _compat.OTHER
    assert _compat.PART_ROLES[dict] == _compat.OTHER
    assert not _compat.is_tool_result(object())
