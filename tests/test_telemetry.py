"""What a trace shows: attributes, events and the counter, and nothing where there is nothing to tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import NonRecordingSpan, NoOpTracer, NoOpTracerProvider
from pydantic_ai import Agent, ModelHTTPError, ModelRetry, RunContext, capabilities
from pydantic_ai.capabilities import AbstractCapability, Instrumentation, ProcessHistory
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings

from pydantic_ai_history_repair import (
    Finding,
    Location,
    Repair,
    RepairHistory,
    _capability,
    _telemetry,
    history_processor,
    repair_history,
)
from pydantic_ai_history_repair._edits import Edits
from pydantic_ai_history_repair._history import History
from pydantic_ai_history_repair.rules import Rule

from .agents import ENTRY_POINTS, ScriptedModel, calls, returns, run_through, says, user

pytestmark = pytest.mark.anyio

PREFIX = 'pydantic_ai.history_repair.'
BROKEN = [user('one'), calls('a', 'b'), returns('a'), says(model_name='m'), returns('gone'), says(model_name='m')]


def instrumented(script: ScriptedModel, *capabilities: Any, settings: InstrumentationSettings | None = None) -> Any:
    return Agent(
        script.model(),
        capabilities=[Instrumentation(settings=settings) if settings else Instrumentation(), *capabilities],
    )


def repair_attributes(span: ReadableSpan) -> dict[str, Any]:
    attributes = span.attributes or {}
    return {name.removeprefix(PREFIX): value for name, value in attributes.items() if name.startswith(PREFIX)}


def repair_events(span: ReadableSpan) -> list[dict[str, Any]]:
    return [dict(event.attributes or {}) for event in span.events if event.name == f'{PREFIX}repaired']


def chat_spans(spans: InMemorySpanExporter) -> list[ReadableSpan]:
    return [span for span in spans.get_finished_spans() if span.name.startswith('chat ')]


def run_span(spans: InMemorySpanExporter) -> ReadableSpan:
    [span] = [span for span in spans.get_finished_spans() if span.parent is None]
    return span


class Trim(AbstractCapability[Any]):
    """Loses every tool return on the way to the model, as a careless context limiter does."""

    async def before_model_request(self, ctx: RunContext[Any], request_context: Any) -> Any:
        kept: list[ModelMessage] = []
        for message in request_context.messages:
            parts = [part for part in message.parts if not isinstance(part, ToolReturnPart)]
            if parts or message is request_context.messages[-1]:
                kept.append(ModelRequest(parts=parts) if isinstance(message, ModelRequest) else message)
        request_context.messages = kept
        return request_context


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[], dict[tuple[str, str, str], int]]:
    """A function that gives the counter's points, as a mapping from attributes to value."""
    reader = InMemoryMetricReader()
    meter = MeterProvider([reader]).get_meter('test')
    counter = meter.create_counter(f'{PREFIX}repairs', unit='{repair}')
    monkeypatch.setattr(_telemetry, '_repairs_counter', lambda: counter)

    def count() -> dict[Any, int]:
        data = reader.get_metrics_data()
        if data is None:
            return {}
        points: list[Any] = [
            point
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
            for point in metric.data.data_points
        ]
        return {tuple(point.attributes[name] for name in ('code', 'dialect', 'scope')): point.value for point in points}

    return count


@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_run_start_repairs_show_on_the_run_span_and_the_first_chat_span(
    entry_point: str, spans: InMemorySpanExporter, counted: Any
):
    """Each repair of stored history is told once per span and counted once."""
    await run_through(entry_point, instrumented(ScriptedModel(), RepairHistory()), 'go on', BROKEN)
    expected = {
        'synthesized_tool_returns': 1,
        'dropped_orphaned_results': 1,
        'total': 2,
        'codes': ('HR101', 'HR102'),
        'tool_call_ids': ('b', 'gone'),
        'first_changed_message': 2,
        'dialect': 'unknown',
        'scope': 'run_start',
    }
    [chat] = chat_spans(spans)
    assert repair_attributes(run_span(spans)) == expected
    assert repair_attributes(chat) == {**expected, 'consecutive_requests': 1}
    events = [
        {
            'code': 'HR101',
            'action': 'synthesized',
            'scope': 'run_start',
            'message_index': 1,
            'part_index': 1,
            'tool_call_id': 'b',
            'tool_name': 'act',
        },
        {
            'code': 'HR102',
            'action': 'removed',
            'scope': 'run_start',
            'message_index': 4,
            'part_index': 0,
            'tool_call_id': 'gone',
            'tool_name': 'act',
        },
    ]
    assert repair_events(chat) == repair_events(run_span(spans)) == events
    assert counted() == {('HR101', 'unknown', 'run_start'): 1, ('HR102', 'unknown', 'run_start'): 1}


@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_wire_repairs_show_on_each_chat_span(entry_point: str, spans: InMemorySpanExporter, counted: Any):
    """A processor that loses results request after request shows as a rising number of requests in a row."""
    agent = instrumented(ScriptedModel([calls('x', model_name='m')]), RepairHistory(), Trim())

    @agent.tool_plain
    def act() -> str:
        return 'acted'

    history = [user('one'), calls('a', model_name='m'), returns('a'), says(model_name='m')]
    await run_through(entry_point, agent, 'go on', history)
    first, second = map(repair_attributes, chat_spans(spans))
    assert first == {
        'synthesized_tool_returns': 1,
        'total': 1,
        'codes': ('HR101',),
        'tool_call_ids': ('a',),
        'first_changed_message': 2,
        'consecutive_requests': 1,
        'dialect': 'unknown',
        'scope': 'wire',
    }
    assert second['tool_call_ids'] == ('a', 'x')
    assert second['consecutive_requests'] == 2
    assert repair_attributes(run_span(spans)) == {}
    assert counted() == {('HR101', 'unknown', 'wire'): 3}


async def test_requests_in_a_row_start_again_after_a_sound_one(spans: InMemorySpanExporter):
    """`consecutive_requests` counts from one again once a request needed no repair."""
    script = ScriptedModel([calls('x', model_name='m'), calls('y', model_name='m')])
    trims = iter([True, False, True])

    class TrimNow(Trim):
        async def before_model_request(self, ctx: RunContext[Any], request_context: Any) -> Any:
            return await super().before_model_request(ctx, request_context) if next(trims) else request_context

    agent = instrumented(script, RepairHistory(), TrimNow())

    @agent.tool_plain
    def act() -> str:
        return 'acted'

    history = [user('one'), calls('a', model_name='m'), returns('a'), says(model_name='m')]
    await agent.run('go on', message_history=history)
    in_a_row = [repair_attributes(span).get('consecutive_requests') for span in chat_spans(spans)]
    assert in_a_row[0] == 1
    assert in_a_row[2] == (1 if in_a_row[1] is None else 3), 'cores that store what hooks return stay broken'


async def test_run_start_and_wire_repairs_share_the_first_chat_span(spans: InMemorySpanExporter):
    """Counts add up, the scope is the later one, and each event names its own."""
    agent = instrumented(ScriptedModel(), RepairHistory(), Trim())
    history = [user('one'), calls('a', model_name='m'), returns('a'), says(model_name='m'), returns('gone'), says()]
    await agent.run('go on', message_history=history)
    [chat] = chat_spans(spans)
    attributes = repair_attributes(chat)
    assert (attributes['total'], attributes['scope']) == (2, 'wire')
    assert [(event['code'], event['scope']) for event in repair_events(chat)] == [
        ('HR102', 'run_start'),
        ('HR101', 'wire'),
    ]


async def test_every_count_has_its_attribute(spans: InMemorySpanExporter):
    """Each kind of repair has a leaf of its own."""
    broken = [
        user('one'),
        user('two'),
        calls('a', 'b', 'c'),
        returns('a', 'a'),
        says(model_name='m'),
        ModelRequest(parts=[ToolReturnPart('act', 'late', tool_call_id='b')]),
        says(model_name='m'),
        returns('gone'),
        says(model_name='m'),
    ]
    await instrumented(ScriptedModel(), RepairHistory()).run('go on', message_history=broken)
    attributes = repair_attributes(chat_spans(spans)[0])
    assert {name: value for name, value in attributes.items() if isinstance(value, int)} == {
        'synthesized_tool_returns': 1,
        'dropped_orphaned_results': 1,
        'moved_tool_results': 1,
        'merged_duplicate_results': 1,
        'merged_messages': 1,
        'total': 5,
        'first_changed_message': 0,
        'consecutive_requests': 1,
    }


async def test_sound_history_says_nothing(spans: InMemorySpanExporter, counted: Any):
    """Nothing repaired: no attribute, no event, no count."""
    agent = instrumented(ScriptedModel(), RepairHistory())
    await agent.run('go on', message_history=[user('one'), calls('a'), returns('a'), says()])
    assert all(not repair_attributes(span) and not span.events for span in spans.get_finished_spans())
    assert counted() == {}


async def test_without_instrumentation_the_span_of_somebody_else_is_left_alone(
    spans: InMemorySpanExporter, counted: Any
):
    """A run that is not instrumented writes nothing on the span it happens to run in."""
    agent = Agent(ScriptedModel().model(), capabilities=[RepairHistory()])
    with trace.get_tracer('web').start_as_current_span('POST /chat'):
        await agent.run('go on', message_history=BROKEN)
    [span] = spans.get_finished_spans()
    assert (span.name, repair_attributes(span), span.events) == ('POST /chat', {}, ())
    assert counted() == {}


async def test_span_that_is_not_recording_says_nothing(spans: InMemorySpanExporter, counted: Any):
    """A trace that is not sampled gets no attributes and moves no counter."""
    settings = InstrumentationSettings(tracer_provider=NoOpTracerProvider())
    agent = instrumented(ScriptedModel(), RepairHistory(), settings=settings)
    with trace.use_span(NonRecordingSpan(trace.INVALID_SPAN_CONTEXT)):
        await agent.run('go on', message_history=BROKEN)
    assert spans.get_finished_spans() == ()
    assert counted() == {}


async def test_model_retry_from_a_hook_is_nobodys_problem(spans: InMemorySpanExporter, counted: Any):
    """The dangling call that a hook's `ModelRetry` leaves is closed without a word, then and in later runs."""

    class Reject(AbstractCapability[Any]):
        rejected = False

        async def after_model_request(self, ctx: RunContext[Any], *, request_context: Any, response: Any) -> Any:
            if not self.rejected:
                self.rejected = True
                raise ModelRetry('Not like this.')
            return response

    agent = Agent(
        ScriptedModel([calls('a')]).model(), capabilities=[Instrumentation(), RepairHistory(), Reject()], retries=2
    )

    @agent.tool_plain
    def act() -> str:
        raise AssertionError('must not be called')

    first = await agent.run('go')
    await agent.run('go on', message_history=first.all_messages())
    assert [repair_attributes(span) for span in spans.get_finished_spans()] == [{}] * len(spans.get_finished_spans())
    assert counted() == {}


async def test_merging_the_new_prompt_is_nobodys_problem(spans: InMemorySpanExporter):
    """A history that ends on a request is joined by the new prompt: the framework's own merge, not worth a word."""
    agent = instrumented(ScriptedModel(), RepairHistory())
    await agent.run('go on', message_history=[user('one'), says(), user('two')])
    assert [repair_attributes(span) for span in spans.get_finished_spans()] == [{}, {}]


async def test_merged_messages_of_the_caller_are_told(spans: InMemorySpanExporter):
    """Two requests in a row in the caller's own history are a repair of that history."""
    await instrumented(ScriptedModel(), RepairHistory()).run('go', message_history=[user('one'), user('two'), says()])
    assert repair_attributes(chat_spans(spans)[0]) == {
        'merged_messages': 1,
        'total': 1,
        'codes': ('HR201',),
        'first_changed_message': 0,
        'consecutive_requests': 1,
        'dialect': 'unknown',
        'scope': 'run_start',
    }


@pytest.mark.skipif('state' not in ModelRequest.__dataclass_fields__, reason='requests have no state before core 2.0')
@pytest.mark.parametrize('entry_point', ENTRY_POINTS)
async def test_closing_an_interrupted_tail_is_told(entry_point: str, spans: InMemorySpanExporter, counted: Any):
    """Calls that a crashed run left open are closed at run start, and that shows, whoever closes them."""
    history = [user('one'), calls('a', 'b'), returns('a', state='interrupted')]
    await run_through(entry_point, instrumented(ScriptedModel(), RepairHistory()), 'go on', history)
    attributes = repair_attributes(run_span(spans))
    assert (attributes['synthesized_tool_returns'], attributes['tool_call_ids']) == (1, ('b',))
    assert repair_attributes(chat_spans(spans)[0])['scope'] == 'run_start'
    assert counted() == {('HR101', 'unknown', 'run_start'): 1}


async def test_no_content_in_any_span(spans: InMemorySpanExporter):
    """What users, models and tools said appears in no attribute and no event of ours."""
    secret = 'correct horse battery staple'
    broken = [
        user(secret),
        calls('a', 'b'),
        ModelRequest(
            parts=[
                ToolReturnPart('act', secret, tool_call_id='a'),
                ToolReturnPart('act', f'{secret}!', tool_call_id='a'),
            ]
        ),
        says(secret, model_name='m'),
        ModelRequest(parts=[ToolReturnPart('act', secret, tool_call_id='gone')]),
        says(secret, model_name='m'),
    ]
    await instrumented(ScriptedModel(), RepairHistory()).run(secret, message_history=broken)
    told = [[repair_attributes(span), repair_events(span)] for span in spans.get_finished_spans()]
    assert 'horse' not in str(told)
    assert 'HR104' in str(told)


async def test_bug_in_a_rule_leaves_the_history_and_shows_as_an_error(
    spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
):
    """An exception inside this package cannot break a run: it is named on the span, without its message."""

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError('what the user said')

    monkeypatch.setattr(_capability, 'repair_history', broken)
    monkeypatch.setattr(_capability, 'repair_on_terms', broken)
    script = ScriptedModel()
    await instrumented(script, RepairHistory()).run('go on', message_history=[user('one'), says()])
    errors = [repair_attributes(span) for span in spans.get_finished_spans()]
    assert len(script.seen) == 1
    for attributes in errors:
        assert list(attributes) == ['error']
        assert attributes['error'].startswith('RuntimeError at test_telemetry.py:')
        assert 'what the user said' not in attributes['error']


async def test_failing_telemetry_cannot_break_a_run(monkeypatch: pytest.MonkeyPatch):
    """A tracer that raises leaves the run and its repairs as they are."""

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError('exporter gone')

    monkeypatch.setattr(_telemetry, '_recording_span', broken)
    script = ScriptedModel()
    await instrumented(script, RepairHistory()).run(
        'go on', message_history=[user('one'), calls('a'), user('two'), says()]
    )
    assert len(script.seen) == 1
    assert any(isinstance(part, ToolReturnPart) for message in script.seen[0] for part in message.parts)


async def test_processor_with_a_run_context_shows_its_repairs(spans: InMemorySpanExporter, counted: Any):
    """`history_processor()` tells the current span what it repaired: the request's, or before 2.54 the run's."""
    agent = instrumented(ScriptedModel(), Trim(), ProcessHistory(history_processor(dialect='anthropic')))
    await agent.run(
        'go on', message_history=[user('one'), calls('a', model_name='m'), returns('a'), says(model_name='m')]
    )
    [attributes] = [told for told in map(repair_attributes, spans.get_finished_spans()) if told]
    assert attributes == {
        'synthesized_tool_returns': 1,
        'total': 1,
        'codes': ('HR101',),
        'tool_call_ids': ('a',),
        'first_changed_message': 2,
        'dialect': 'anthropic',
        'scope': 'wire',
    }
    assert counted() == {('HR101', 'anthropic', 'wire'): 1}


async def test_unknown_code_counts_as_other(spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch):
    """A rule without a leaf of its own is counted under `other`."""
    monkeypatch.setattr(_telemetry, '_COUNTS', {})
    await instrumented(ScriptedModel(), RepairHistory()).run('go on', message_history=BROKEN)
    assert repair_attributes(chat_spans(spans)[0])['other'] == 2


@pytest.mark.skipif(not hasattr(capabilities, 'ModelFallback'), reason='this core has no `ModelFallback`')
async def test_step_that_is_attempted_again_is_told_once(spans: InMemorySpanExporter, counted: Any):
    """A second model for the same request: its dialect shows, and what it alone demands; the rest is not told again."""

    class AnthropicModel(FunctionModel):
        """Known as Anthropic's adapter by its name."""

    def refuse(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        raise ModelHTTPError(500, 'first')

    script = ScriptedModel()
    first, second = FunctionModel(refuse), AnthropicModel(script._answer)
    fallback = getattr(capabilities, 'ModelFallback')(first, second)  # noqa: B009
    agent: Agent[Any, Any] = Agent(capabilities=[fallback, Instrumentation(), RepairHistory(), Trim()])
    history = [user('one'), calls('a', model_name='m'), returns('a'), says(model_name='m')]
    await agent.run('go on', message_history=history)
    [chat] = chat_spans(spans)
    assert repair_attributes(chat)['dialect'] == 'anthropic'
    assert repair_attributes(chat)['total'] == 2
    assert [(event['code'], event['action']) for event in repair_events(chat)] == [
        ('HR101', 'synthesized'),
        ('HR601', 'declared'),
    ]
    assert counted() == {('HR101', 'unknown', 'wire'): 1, ('HR601', 'anthropic', 'wire'): 1}


async def test_inner_agent_without_instrumentation_leaves_the_outer_spans_alone(spans: InMemorySpanExporter):
    """An agent that a tool runs tells its own spans of its repairs, and no one when it has none."""
    inner: Agent[Any, Any] = Agent(ScriptedModel().model(), capabilities=[RepairHistory()])
    outer = instrumented(ScriptedModel([calls('x')]))

    @outer.tool_plain
    async def act() -> str:
        return (await inner.run('go on', message_history=BROKEN)).output

    await outer.run('go')
    assert len(spans.get_finished_spans()) > 2
    assert [repair_attributes(span) for span in spans.get_finished_spans() if repair_attributes(span)] == []


async def test_what_no_rule_could_repair_is_told(spans: InMemorySpanExporter):
    """Findings that remain are counted, without a repair beside them."""

    class Shouting(Rule):
        """A user who shouts."""

        code = 'X1'
        name = 'shouting'
        since = '1.0'

        def check(self, history: History) -> list[Finding]:
            loud = [index for index, message in enumerate(history.messages) if message == shout]
            return [
                Finding(code=self.code, name=self.name, location=Location(index), message='Loud.', fixable=False)
                for index in loud
            ]

        def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
            raise AssertionError('there is nothing that can be fixed')

    shout = user('HELLO')
    capability = RepairHistory[Any]()
    capability._rules = (Shouting(),)
    await instrumented(ScriptedModel(), capability).run('go on', message_history=[shout, says()])
    told = {'remaining': 1, 'dialect': 'unknown', 'scope': 'run_start'}
    assert repair_attributes(run_span(spans)) == told
    assert repair_attributes(chat_spans(spans)[0]) == {
        **told,
        'remaining': 2,
        'scope': 'wire',
        'consecutive_requests': 1,
    }


def test_whose_span_it_is(monkeypatch: pytest.MonkeyPatch):
    """Where a run context does not know of instrumentation, a span that core opened for a run or request is told."""
    for knows, scope, name, told in [
        (False, 'pydantic-ai', 'invoke_agent agent', True),
        (False, 'pydantic-ai', 'execute_tool act', False),
        (False, 'pydantic-ai', 'running tool', False),
        (False, 'web', 'POST /chat', False),
        (True, 'pydantic-ai', 'invoke_agent agent', False),
    ]:
        monkeypatch.setattr(_telemetry, 'CONTEXT_KNOWS_INSTRUMENTATION', knows)
        with trace.get_tracer(scope).start_as_current_span(name) as span:
            assert _telemetry._recording_span(NoOpTracer()) is (span if told else None)


def test_attempt_again_without_a_span():
    """A second attempt of a run that is not instrumented has nobody to tell either."""
    report = repair_history([user('one'), calls('a')])
    untold = _telemetry.RunTrace()
    for _ in range(2):
        untold.repaired_for_request(report, report.messages, run_step=1, dialect='unknown', tracer=NoOpTracer())


def test_attempt_again_by_another_model():
    """The same repairs for a second model: its dialect takes the place of the first one's, and nothing is told twice."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer('pydantic-ai')
    report = repair_history([user('one'), calls('a')])
    trace = _telemetry.RunTrace()
    with tracer.start_as_current_span('chat'):
        for dialect in ('anthropic', 'google'):
            trace.repaired_for_request(report, report.messages, run_step=1, dialect=dialect, tracer=tracer)
        trace.repaired_for_request(
            repair_history([user('one')]), [user('one')], run_step=1, dialect='mistral', tracer=tracer
        )
    [span] = exporter.get_finished_spans()
    assert repair_attributes(span)['dialect'] == 'google'
    assert len(repair_events(span)) == 1


async def test_next_run_over_a_stored_run_is_told_nothing(spans: InMemorySpanExporter, counted: Any):
    """A run that put its prompt next to an older request leaves neighbours in what it stores: no one's problem."""
    agent = instrumented(ScriptedModel(), RepairHistory())
    late = [user('one'), calls('a', model_name='m'), user('two'), says(model_name='m'), returns('a')]
    first = await agent.run('go on', message_history=late)
    assert [repair_attributes(span)['codes'] for span in spans.get_finished_spans()] == [('HR103',), ('HR103',)]
    spans.clear()
    await agent.run('and on', message_history=first.all_messages())
    assert [repair_attributes(span) for span in spans.get_finished_spans()] == [{}, {}]
    assert sum(counted().values()) == 1


async def test_runs_on_one_agent_do_not_add_up(spans: InMemorySpanExporter):
    """Each run tells its own repairs only."""
    agent = instrumented(ScriptedModel(), RepairHistory())
    for _ in range(2):
        spans.clear()
        await agent.run('go on', message_history=BROKEN)
        assert repair_attributes(run_span(spans))['total'] == 2
        assert len(repair_events(run_span(spans))) == 2


async def test_run_start_repairs_are_told_on_the_first_request_only(spans: InMemorySpanExporter):
    """The second request of a run says nothing of what was repaired before the first."""
    agent = instrumented(ScriptedModel([calls('x', model_name='m')]), RepairHistory())

    @agent.tool_plain
    def act() -> str:
        return 'acted'

    await agent.run('go on', message_history=BROKEN)
    first, second = map(repair_attributes, chat_spans(spans))
    assert (first['total'], second) == (2, {})
