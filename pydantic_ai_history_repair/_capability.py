"""The capability: repairs around an agent run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from typing import Literal, get_args

from pydantic_ai import RunContext, UserPromptNode
from pydantic_ai.capabilities import AbstractCapability, AgentNode, CapabilityOrdering, WrapModelRequestHandler
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.tools import AgentDepsT

from ._compat import CORE_REPAIRS, MODEL_REQUEST_HOOK, message_state
from ._findings import RepairReport
from ._history import synthesized_tool_call_ids
from ._repair import check_history, repair_history, repair_on_terms
from ._request import declare_tools, request_facts
from ._telemetry import RunTrace
from ._terms import OrphanedResults, Terms, resolve_orphaned_results
from .dialects import Dialect, dialect_for, resolve_dialect
from .rules import CORE_RULES, RULES, Rule, rules_without

UnansweredCalls = Literal['raise', 'close']

_CORE_CODES = frozenset(rule.code for rule in CORE_RULES)


@dataclass
class RepairHistory(AbstractCapability[AgentDepsT]):
    """Repairs broken message histories, and shows every repair in the trace.

    When a run starts, the stored history is made valid: what changes there is part of `result.all_messages()`. Before
    each model request the outgoing messages are made valid too, on the copy that is sent: stored history does not
    change. Calls that may still be answered are left alone: those of the last response, unless the interruption is
    evident. With instrumentation on, each repair is an event on the `chat` span, with counts as attributes.

    ```python
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, UserPromptPart
    from pydantic_ai.models.test import TestModel

    from pydantic_ai_history_repair import RepairHistory

    agent = Agent(TestModel(), capabilities=[RepairHistory()])

    poisoned = [
        ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
        ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
        ModelRequest(parts=[UserPromptPart('Never mind.')]),
        ModelResponse(parts=[TextPart('All right.')]),
    ]
    result = agent.run_sync('Tell me a joke instead.', message_history=poisoned)
    print(result.all_messages()[2].parts[0].content)
    #> The tool call was interrupted before a result was produced.
    ```

    Raises:
        ValueError: If an option has a value that it cannot have.
    """

    dialect: str | None = None
    """The wire API to repair for, such as `'anthropic'`. `None` takes the serving model's, which is what you want
    unless a proxy speaks another API than the model class in front of it."""

    ignore: Sequence[str] = ()
    """Codes of rules that are not applied, such as `['HR201']`. Empty applies every rule."""

    unanswered_calls: UnansweredCalls = 'raise'
    """What to do with a new prompt after a complete response whose calls have no results. `'raise'` leaves it to
    Pydantic AI, which raises `UserError`, since the calls may be waiting for an approval. `'close'` answers them as
    interrupted, in stored history, and goes on. Calls for which `deferred_tool_results` are passed are never closed."""

    orphaned_results: OrphanedResults = 'drop'
    """What becomes of a tool result whose call is not in the history. `'drop'` removes it, as Pydantic AI does; `'note'`
    keeps its content as user text, fenced and marked as the result of a tool: it may be the only record of what was
    done."""

    _rules: tuple[Rule, ...] = field(default=RULES, init=False, repr=False, compare=False)
    _run: _Run = field(default_factory=lambda: _Run(), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        resolve_dialect(self.dialect)
        self._rules = rules_without(self.ignore)
        if self.unanswered_calls not in get_args(UnansweredCalls):
            raise ValueError(f"`unanswered_calls` must be 'raise' or 'close', got {self.unanswered_calls!r}.")
        resolve_orphaned_results(self.orphaned_results)

    def get_ordering(self) -> CapabilityOrdering | None:
        """Innermost: what other capabilities do to the history comes first, and is repaired."""
        return CapabilityOrdering(position='innermost')

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> AbstractCapability[AgentDepsT]:
        """A copy with state of its own, so that runs on one agent never meet."""
        own = copy(self)
        own._run = _Run()
        return own

    async def before_run(self, ctx: RunContext[AgentDepsT]) -> None:
        """Repair the stored history, all but the calls of the last response."""
        self._safely(ctx, self._repair_stored)

    async def before_node_run(
        self, ctx: RunContext[AgentDepsT], *, node: AgentNode[AgentDepsT]
    ) -> AgentNode[AgentDepsT]:
        """Close the last response's calls where the interruption is evident and no deferred results are passed.

        Not in `before_run`, which does not know of deferred results.
        """
        if isinstance(node, UserPromptNode):
            self._run.tail = None
            if node.deferred_tool_results is None and self._tail_is_abandoned(ctx):
                self._safely(ctx, self._close_tail)
        return node

    # One of the three, by what core does with the messages that a hook returns: see `MODEL_REQUEST_HOOK`.
    if MODEL_REQUEST_HOOK == 'prepare':

        async def prepare_model_request(
            self, ctx: RunContext[AgentDepsT], request_context: ModelRequestContext
        ) -> ModelRequestContext:
            """Repair the copy of the history that this attempt sends."""
            self._safely(ctx, lambda ctx: self._repair_outgoing(ctx, request_context))
            return request_context

    elif MODEL_REQUEST_HOOK == 'before':

        async def before_model_request(
            self, ctx: RunContext[AgentDepsT], request_context: ModelRequestContext
        ) -> ModelRequestContext:
            """Repair the copy of the history that this request sends."""
            self._safely(ctx, lambda ctx: self._repair_outgoing(ctx, request_context))
            return request_context

    else:

        async def wrap_model_request(
            self, ctx: RunContext[AgentDepsT], *, request_context: ModelRequestContext, handler: WrapModelRequestHandler
        ) -> ModelResponse:
            """Repair the copy of the history that this request sends."""
            self._safely(ctx, lambda ctx: self._settle_tail_late(ctx))
            self._safely(ctx, lambda ctx: self._repair_outgoing(ctx, request_context))
            return await handler(request_context)

    def _repair_stored(self, ctx: RunContext[AgentDepsT]) -> None:
        self._run.trace.run_started(ctx.tracer)
        self._store(ctx, self._rules_for_stored(ctx.messages), repair_last_response=False)
        if not self._tail_is_abandoned(ctx):
            return
        last = ctx.messages[-1]
        if not CORE_REPAIRS and isinstance(last, ModelResponse) and message_state(last) == 'interrupted':
            # Core would refuse the prompt, and its `iter` calls no hook before that. A response that was cut short
            # never had its calls deferred, so no results can be on their way.
            self._close_tail(ctx)
        else:
            self._run.tail = repair_history(ctx.messages[:], rules=self._rules)

    def _rules_for_stored(self, messages: list[ModelMessage]) -> Sequence[Rule]:
        """All of them, but where core reads more from a history than what a provider would be sent.

        A suspended response is resumed by its place among the messages, so only what core itself would do is done.
        While the last response has open calls, core takes every result after it as an answer when it matches deferred
        results. An orphan among them that were gone would let through what core refuses; from 2.10 core drops it itself.
        """
        if messages and message_state(messages[-1]) == 'suspended':
            return [rule for rule in self._rules if rule.code in _CORE_CODES]
        if not CORE_REPAIRS and _has_open_calls_at_its_end(messages):
            return [rule for rule in self._rules if rule.code != 'HR102']
        return self._rules

    def _close_tail(self, ctx: RunContext[AgentDepsT]) -> None:
        # Nothing else: at the first request core has counted the messages already, and none may come or go.
        closing = [rule for rule in self._rules if rule.code == 'HR101']
        self._store(ctx, closing, repair_last_response=True)

    def _settle_tail_late(self, ctx: RunContext[AgentDepsT]) -> None:
        """What `before_node_run` does, where core's `iter` does not call it (before 2.23).

        By now core has executed the calls that got deferred results. From 2.10 it has also closed the others itself,
        as announced at run start: all that is left to do then is to show it.
        """
        tail, self._run.tail = self._run.tail, None
        if tail and not CORE_REPAIRS:
            self._close_tail(ctx)
        elif tail and {repair.tool_call_id for repair in tail.repairs} <= synthesized_tool_call_ids(ctx.messages):
            self._show_stored(ctx, tail, ctx.messages)

    def _store(self, ctx: RunContext[AgentDepsT], rules: Sequence[Rule], *, repair_last_response: bool) -> None:
        before = ctx.messages[:]
        report = repair_history(
            before, repair_last_response=repair_last_response, rules=rules, orphaned_results=self.orphaned_results
        )
        if report.changed:
            ctx.messages[:] = report.messages
        self._show_stored(ctx, report, before)

    def _show_stored(self, ctx: RunContext[AgentDepsT], report: RepairReport, before: list[ModelMessage]) -> None:
        dialect = self._serving(ctx.model).name
        self._run.trace.repaired_at_run_start(report, before, dialect=dialect)

    def _repair_outgoing(self, ctx: RunContext[AgentDepsT], request_context: ModelRequestContext) -> None:
        before = request_context.messages
        if not before:
            return
        # A history that ends on a response resumes one that its provider suspended: its calls are still to come.
        sends_request = isinstance(before[-1], ModelRequest)
        dialect = self._serving(request_context.model)
        terms = Terms(dialect, sends_request, self.orphaned_results, request_facts(request_context))
        report = repair_on_terms(before, terms, self._rules)
        if report.changed:
            request_context.messages = report.messages
        if report.undeclared_tools:
            declare_tools(request_context, report.undeclared_tools)
        if MODEL_REQUEST_HOOK == 'wrap':
            # Core has repaired this copy already, silently. What it did shows in the history that the copy was made of.
            stored = ctx.messages[:]
            seen = repair_on_terms(stored, terms, self._rules)
            report, before = (seen, stored) if seen.changed else (report, before)
        trace = self._run.trace
        trace.repaired_for_request(report, before, run_step=ctx.run_step, dialect=dialect.name, tracer=ctx.tracer)

    def _serving(self, model: object) -> Dialect:
        return resolve_dialect(self.dialect) or dialect_for(model)

    def _tail_is_abandoned(self, ctx: RunContext[AgentDepsT]) -> bool:
        """Whether nothing but deferred results can still answer the last response's calls."""
        if not ctx.messages:
            return False
        last = ctx.messages[-1]
        state = message_state(last)
        if isinstance(last, ModelRequest) or ctx.prompt is None:
            return isinstance(last, ModelRequest) and state == 'interrupted'
        return state == 'interrupted' or (state == 'complete' and self.unanswered_calls == 'close')

    def _safely(self, ctx: RunContext[AgentDepsT], repair: Callable[[RunContext[AgentDepsT]], None]) -> None:
        """Run a repair so that a bug in this package cannot break the run, only be seen on its span."""
        try:
            repair(ctx)
        except Exception as error:
            with suppress(Exception):
                self._run.trace.failed(error, ctx.tracer)


def _has_open_calls_at_its_end(messages: list[ModelMessage]) -> bool:
    dangling = [rule for rule in RULES if rule.code == 'HR101']
    closed, left_open = (
        check_history(messages, dialect=None, rules=dangling, repair_last_response=last_too)
        for last_too in (True, False)
    )
    return len(closed) > len(left_open)


class _Run:
    """What one run remembers."""

    def __init__(self) -> None:
        self.trace = RunTrace()
        self.tail: RepairReport | None = None
        """How the last response's calls will be closed, while it is not known whether deferred results are passed."""
