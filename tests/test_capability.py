"""`RepairHistory` around real runs: what is stored, what is sent, and what must be left alone."""

from __future__ import annotations

import copy
from typing import Any

import anyio
import pytest
from pydantic_ai import Agent, ModelRetry, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred, UserError
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from pydantic_ai_history_repair import RepairHistory
from pydantic_ai_history_repair._compat import CORE_REPAIRS

from .agents import ENTRY_POINTS, ScriptedModel, calls, returns, run_through, says, shape, user

pytestmark = pytest.mark.anyio

HAS_REQUEST_STATE = 'state' in ModelRequest.__dataclass_fields__
needs_request_state = pytest.mark.skipif(not HAS_REQUEST_STATE, reason='requests have no state before core 2.0')

POISONED = [user('one'), calls('a', 'b'), returns('a'), says(), returns('gone'), says('again')]


def acting_agent(script: ScriptedModel, executed: list[str], **options: Any) -> Agent[Any, Any]:
    """An agent whose tool `act` notes the ids of the calls it executes."""
    agent: Agent[Any, Any] = Agent(script.model(), capabilities=[RepairHistory(**options)])

    @agent.tool
    def act(ctx: RunContext[Any]) -> str:
        executed.append(ctx.tool_call_id or '')
        return 'acted'

    return agent


@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_poisoned_history_works_again(entry_point: str):
    """Whatever way an agent is run, a broken history is repaired in what is sent and in what is stored."""
    script = ScriptedModel()
    history = copy.deepcopy(POISONED)
    stored = await run_through(entry_point, acting_agent(script, []), 'go on', history)
    expected = [
        'request: user one',
        'response: call a, call b',
        'request: return a, synthesized b',
        'response: text',
        'response: text',
        'request: user go on',
    ]
    if shape(stored)[3:5] != expected[3:5]:  # neither came from a provider, so they were merged
        expected[3:5] = ['response: text, text']
    assert shape(script.seen[0]) == expected
    assert shape(stored) == [*expected, 'response: text']
    assert history == POISONED, 'the list that was passed in is left alone'


@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_promptless_resume_executes_the_trailing_calls(entry_point: str):
    """Without a new prompt the calls at the end of a history are executed, not closed."""
    script, executed = ScriptedModel(), list[str]()
    stored = await run_through(entry_point, acting_agent(script, executed), None, [user('one'), calls('a', 'b')])
    assert sorted(executed) == ['a', 'b']
    assert shape(stored) == [
        'request: user one',
        'response: call a, call b',
        'request: return a, return b',
        'response: text',
    ]


async def test_promptless_resume_leaves_cut_off_arguments_to_validation():
    """A trailing call whose arguments were cut off still reaches validation, which asks the model to try again."""
    script = ScriptedModel()
    agent: Agent[Any, Any] = Agent(script.model(), capabilities=[RepairHistory()])

    @agent.tool_plain
    def look(city: str) -> str:
        raise AssertionError('must not be called')

    cut_off = ModelResponse(parts=[ToolCallPart('look', '{"city": "Par', tool_call_id='a')])
    await agent.run(message_history=[user('one'), cut_off])
    [answer] = script.seen[0][2].parts
    assert getattr(answer, 'tool_call_id') == 'a'  # noqa: B009
    assert 'synthesized' not in shape(script.seen[0])[2]


@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_cancelled_stream_then_new_prompt_just_works(entry_point: str):
    """A response that was cut short is closed in stored history, and the conversation goes on."""
    script, executed = ScriptedModel(), list[str]()
    history = [user('one'), calls('a', 'b', state='interrupted')]
    stored = await run_through(entry_point, acting_agent(script, executed), 'go on', history)
    assert executed == []
    assert shape(stored) == [
        'request: user one',
        'response: call a, call b',
        *(['request: synthesized a, synthesized b', 'request: user go on'] if len(stored) == 5 else []),
        *(['request: synthesized a, synthesized b, user go on'] if len(stored) == 4 else []),
        'response: text',
    ]
    assert shape(script.seen[0])[-1] == 'request: synthesized a, synthesized b, user go on'


@needs_request_state
@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_run_that_crashed_in_a_tool_is_closed_at_run_start(entry_point: str):
    """A trailing request that was interrupted means the open calls will never be executed: they are closed for good."""
    script, executed = ScriptedModel(), list[str]()
    history = [user('one'), calls('a', 'b'), returns('a', state='interrupted')]
    stored = await run_through(entry_point, acting_agent(script, executed), 'go on', history)
    assert executed == []
    assert shape(stored)[2] == 'request: return a, synthesized b'
    assert shape(script.seen[0])[-1] == 'request: return a, synthesized b, user go on'


@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_complete_trailing_calls_and_a_new_prompt_raise_as_in_core(entry_point: str):
    """A new prompt over calls that may be waiting for an approval is refused by default."""
    script = ScriptedModel()
    with pytest.raises(UserError, match='unprocessed tool calls'):
        await run_through(entry_point, acting_agent(script, []), 'go on', [user('one'), calls('a')])
    assert script.seen == []


@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_unanswered_calls_close(entry_point: str):
    """With `unanswered_calls='close'` such calls are closed in stored history and the conversation goes on."""
    if entry_point == 'iter' and not await _iter_calls_node_hooks():
        pytest.skip('core calls no hook in `iter` before 2.23 that knows of deferred results')
    script, executed = ScriptedModel(), list[str]()
    agent = acting_agent(script, executed, unanswered_calls='close')
    stored = await run_through(entry_point, agent, 'go on', [user('one'), calls('a')])
    assert executed == []
    assert shape(stored) == [
        'request: user one',
        'response: call a',
        'request: synthesized a',
        'request: user go on',
        'response: text',
    ]


async def _iter_calls_node_hooks() -> bool:
    seen: list[str] = []

    class Watch(AbstractCapability[Any]):
        async def before_node_run(self, ctx: RunContext[Any], *, node: Any) -> Any:
            seen.append(type(node).__name__)
            return node

    async with Agent(ScriptedModel().model(), capabilities=[Watch()]).iter('hello') as run:
        async for _ in run:
            pass
    return 'UserPromptNode' in seen


def deferring_agent(script: ScriptedModel, executed: list[str], **options: Any) -> Agent[Any, Any]:
    """An agent with one tool that runs, one that is deferred and one that needs an approval."""
    agent: Agent[Any, Any] = Agent(
        script.model(), output_type=[str, DeferredToolRequests], capabilities=[RepairHistory(**options)]
    )

    @agent.tool_plain
    def act() -> str:
        executed.append('act')
        return 'acted'

    @agent.tool_plain
    def ask() -> str:
        raise CallDeferred

    @agent.tool
    def pay(ctx: RunContext[Any]) -> str:
        if not ctx.tool_call_approved:
            raise ApprovalRequired
        executed.append('pay')
        return 'paid'

    return agent


def deferred_turn() -> ModelResponse:
    return ModelResponse(
        parts=[
            ToolCallPart('act', {}, tool_call_id='a'),
            ToolCallPart('ask', {}, tool_call_id='b'),
            ToolCallPart('pay', {}, tool_call_id='c'),
        ]
    )


RESULTS = DeferredToolResults(calls={'b': 'answer'}, approvals={'c': True})


@pytest.mark.parametrize('options', [{}, {'unanswered_calls': 'close'}], ids=['raise', 'close'])
@pytest.mark.parametrize('prompt', [None, 'go on'])
async def test_deferred_and_approval_runs_still_match(options: dict[str, Any], prompt: str | None):
    """Deferred results and approvals find their calls, with a prompt beside them and without."""
    script, executed = ScriptedModel([deferred_turn()]), list[str]()
    agent = deferring_agent(script, executed, **options)
    first = await agent.run('start')
    assert isinstance(first.output, DeferredToolRequests)
    second = await agent.run(prompt, message_history=first.all_messages(), deferred_tool_results=RESULTS)
    assert executed == ['act', 'pay']
    answers = [part for message in second.all_messages() for part in message.parts if isinstance(part, ToolReturnPart)]
    assert {answer.tool_call_id: answer.content for answer in answers} == {'a': 'acted', 'b': 'answer', 'c': 'paid'}


async def test_deferred_results_match_when_nothing_was_executed():
    """A response whose calls were all deferred is the last message, and its results still match."""
    script, executed = ScriptedModel([ModelResponse(parts=[ToolCallPart('ask', {}, tool_call_id='b')])]), list[str]()
    agent = deferring_agent(script, executed, unanswered_calls='close')
    first = await agent.run('start')
    second = await agent.run(
        'and more', message_history=first.all_messages(), deferred_tool_results=DeferredToolResults(calls={'b': 'yes'})
    )
    assert 'synthesized b' not in ' '.join(shape(second.all_messages()))


async def test_forgotten_deferred_results_leave_the_calls_open():
    """A resume that forgets the results answers the calls for the model only: the right resume still works after it."""
    script, executed = ScriptedModel([deferred_turn()]), list[str]()
    agent = deferring_agent(script, executed)
    first = await agent.run('start')
    forgotten = await agent.run('hello?', message_history=first.all_messages())
    assert shape(script.seen[-1])[-1] == 'request: return a, synthesized b, synthesized c, user hello?'
    assert 'synthesized' not in ' '.join(shape(forgotten.all_messages())), 'nothing is closed in stored history'
    resumed = await agent.run(message_history=first.all_messages(), deferred_tool_results=RESULTS)
    assert resumed.output == 'done'
    assert executed == ['act', 'pay']


@needs_request_state
@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_deferred_results_match_after_an_interrupted_request(entry_point: str):
    """Deferred results beat an interrupted trailing request: their calls are executed, not closed."""
    script, executed = ScriptedModel([deferred_turn()]), list[str]()
    agent = deferring_agent(script, executed)
    history = (await agent.run('start')).all_messages()
    assert isinstance(history[-1], ModelRequest)
    history[-1].state = 'interrupted'
    stored = await run_through(entry_point, agent, None, history, deferred_tool_results=RESULTS)
    assert executed == ['act', 'pay']
    assert 'synthesized' not in ' '.join(shape(stored))


async def test_emptied_interior_request_is_dropped_and_emptied_last_request_is_kept():
    """An orphan takes its request along, except where the history would no longer end on a request."""
    script = ScriptedModel()
    agent = acting_agent(script, [])
    result = await agent.run(message_history=[user('one'), says(), returns('gone'), says('again'), returns('lost')])
    assert [shape([message])[0].split(':')[0] for message in script.seen[0]] == ['request', 'response', 'request']
    assert shape(result.all_messages())[-2] == 'request: '


async def test_repairs_at_the_wire_are_not_stored():
    """What a history processor breaks is mended for the model only, request after request."""

    class Trim(AbstractCapability[Any]):
        async def before_model_request(self, ctx: RunContext[Any], request_context: Any) -> Any:
            kept = [message for message in request_context.messages if not shape([message])[0].endswith('return a')]
            request_context.messages = kept
            return request_context

    script = ScriptedModel()
    agent: Agent[Any, Any] = Agent(script.model(), capabilities=[RepairHistory(), Trim()])
    history = [user('one'), calls('a', model_name='m'), returns('a'), says(model_name='m')]
    result = await agent.run('go on', message_history=history)
    assert shape(script.seen[0]) == [
        'request: user one',
        'response: call a',
        'request: synthesized a',
        'response: text',
        'request: user go on',
    ]
    assert 'synthesized' not in ' '.join(shape(result.all_messages()))


async def test_two_runs_at_once_on_one_agent():
    """Runs that overlap on one agent each repair their own history."""
    started = anyio.Event()
    seen: dict[str, list[ModelMessage]] = {}

    async def answer(messages: list[ModelMessage], info: Any) -> ModelResponse:
        last = messages[-1].parts[-1]
        assert isinstance(last, UserPromptPart)
        seen[str(last.content)] = messages
        if len(seen) == 2:
            started.set()
        await started.wait()
        return ModelResponse(parts=[TextPart('done')])

    agent: Agent[Any, Any] = Agent(FunctionModel(answer), capabilities=[RepairHistory()])
    shared = [user('one'), calls('a'), user('two'), says()]
    async with anyio.create_task_group() as group:
        for prompt, history in (('first', shared), ('second', [*shared, returns('gone'), says()])):
            group.start_soon(lambda prompt=prompt, history=history: agent.run(prompt, message_history=history))
    assert shape(seen['first'])[2] == shape(seen['second'])[2] == 'request: synthesized a, user two'
    assert shape(shared)[2] == 'request: user two'


async def test_history_shared_between_runs_gives_the_same_bytes():
    """The same stored history sent twice goes out as the same bytes, so a cached prompt prefix never moves."""
    script = ScriptedModel()
    agent = acting_agent(script, [])
    history = copy.deepcopy(POISONED)
    for _ in range(2):
        await agent.run('go on', message_history=history)
    first, second = (ModelMessagesTypeAdapter.dump_json(seen[:-1]) for seen in script.seen)
    assert first == second


async def test_repaired_history_is_not_repaired_again():
    """What a run stored is valid: the next run sends the very same messages."""
    script = ScriptedModel()
    agent = acting_agent(script, [])
    first = await agent.run('go on', message_history=POISONED)
    await agent.run('and on', message_history=first.all_messages())
    before = ModelMessagesTypeAdapter.dump_json(script.seen[0])
    assert ModelMessagesTypeAdapter.dump_json(script.seen[1][: len(script.seen[0])]) == before


async def test_model_retry_from_a_hook_sends_a_valid_history():
    """A response that a hook rejects has its calls closed for the model, in the run that goes on."""

    class Reject(AbstractCapability[Any]):
        rejected = False

        async def after_model_request(self, ctx: RunContext[Any], *, request_context: Any, response: Any) -> Any:
            if not self.rejected:
                self.rejected = True
                raise ModelRetry('Not like this.')
            return response

    script, executed = ScriptedModel([calls('a')]), list[str]()
    agent: Agent[Any, Any] = Agent(script.model(), capabilities=[RepairHistory(), Reject()], retries=2)

    @agent.tool_plain
    def act() -> str:
        executed.append('act')
        return 'acted'

    await agent.run('go')
    assert executed == []
    assert 'synthesized a' in shape(script.seen[1])[2]


async def test_ignored_rules_are_not_applied():
    """A code in `ignore` leaves its shape as it is."""
    script = ScriptedModel()
    duplicate = [user('one'), calls('a'), returns('a', 'a'), says()]
    await acting_agent(script, []).run('go on', message_history=duplicate)
    await acting_agent(script, [], ignore=['HR104']).run('go on', message_history=duplicate)
    assert [shape(seen)[2] for seen in script.seen] == ['request: return a', 'request: return a, return a']


async def test_no_history_at_all():
    """A first run has nothing to repair."""
    script = ScriptedModel()
    await acting_agent(script, []).run('hello')
    assert shape(script.seen[0]) == ['request: user hello']


@pytest.mark.parametrize(
    ('options', 'message'),
    [
        ({'dialect': 'klingon'}, r"`dialect` must be one of 'portable', 'anthropic', .*, got 'klingon'\."),
        ({'ignore': ['HR999']}, r"`ignore` must be a list of rule codes out of HR101, .*, got \['HR999'\]\."),
        ({'ignore': 'HR101'}, r"`ignore` must be a list of rule codes out of HR101, .*, got 'HR101'\."),
        ({'unanswered_calls': 'drop'}, r"`unanswered_calls` must be 'raise' or 'close', got 'drop'\."),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str):
    """A wrong option is refused when the capability is made, with its name, the rule and the value."""
    with pytest.raises(ValueError, match=message):
        RepairHistory(**options)


@pytest.mark.parametrize('poison', [['not a message'], [None], [{'kind': 'request', 'parts': []}]])
async def test_what_cannot_be_read_passes_through(poison: list[Any]):
    """What this package cannot read is left to core, which fails or not as it does without the capability."""
    outcomes: list[str] = []
    for capabilities in ([], [RepairHistory()]):
        agent: Agent[Any, Any] = Agent(ScriptedModel().model(), capabilities=capabilities)
        try:
            outcomes.append((await agent.run('go', message_history=poison)).output)
        except Exception as error:
            outcomes.append(f'{type(error).__name__}: {error}')
    assert outcomes[0] == outcomes[1]


def test_core_repairs_is_told_apart():
    """The suite runs on both kinds of core: those that close dangling calls themselves, and those that do not."""
    from pydantic_ai import _agent_graph

    assert hasattr(_agent_graph, '_repair_dangling_tool_calls') is CORE_REPAIRS
