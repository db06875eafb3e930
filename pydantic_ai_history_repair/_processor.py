"""The plain callable, for `ProcessHistory` and for `Agent(history_processors=[...])` on 1.x."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Protocol, TypedDict, cast, overload

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelMessage

from ._compat import CORE_REPAIRS, MODEL_REQUEST_HOOK
from ._repair import repair_history
from ._telemetry import RunTrace
from ._terms import OrphanedResults, resolve_orphaned_results
from .dialects import dialect_for, resolve_dialect
from .rules import Rule, rules_without


class _Options(TypedDict):
    repair_last_response: bool
    rules: Sequence[Rule]
    orphaned_results: OrphanedResults


class HistoryProcessor(Protocol):
    """A history processor that can be called with a run context or without."""

    @overload
    def __call__(self, ctx: RunContext[Any], messages: list[ModelMessage], /) -> list[ModelMessage]: ...
    @overload
    def __call__(self, messages: list[ModelMessage], /) -> list[ModelMessage]: ...


def history_processor(
    *,
    dialect: str | None = None,
    repair_last_response: bool | None = None,
    ignore: Sequence[str] = (),
    orphaned_results: OrphanedResults = 'drop',
) -> HistoryProcessor:
    """A history processor that repairs what it is given.

    `RepairHistory` does more: it knows where a run starts, so it can tell what to store from what only to send. Use
    this where there is a place for a processor and none for a capability.

    ```python
    from pydantic_ai import Agent
    from pydantic_ai.capabilities import ProcessHistory
    from pydantic_ai.models.test import TestModel

    from pydantic_ai_history_repair import history_processor

    agent = Agent(TestModel(), capabilities=[ProcessHistory(history_processor())])
    print(agent.run_sync('Hello').output)
    #> success (no tool calls)
    ```

    Args:
        dialect: The wire API to repair for. `None` takes the serving model's; without a run context, and up to 2.53, where
            what a processor returns is stored, it takes the provider-neutral rules.
        repair_last_response: Whether to close calls in the last response. Pydantic AI stores what a processor returns,
            so closing a call that waits for a deferred result would close it for good. `None` closes them only where
            nothing else does: before 2.10, where Pydantic AI does not close them on the outgoing copy.
        ignore: Codes of rules that are not applied.
        orphaned_results: What becomes of a tool result without its call: `'drop'` or `'note'`, as for `repair_history`.

    Returns:
        A callable for `ProcessHistory(...)`, or for `Agent(history_processors=[...])` on 1.x. Called with a run
            context it shows repairs on the current span; called with the messages alone it only repairs them.

    Raises:
        ValueError: If `dialect` names no known dialect, `ignore` a code that no rule has, or `orphaned_results` is
            something else.
    """
    chosen = resolve_dialect(dialect)
    options: _Options = {
        'repair_last_response': not CORE_REPAIRS if repair_last_response is None else repair_last_response,
        'rules': rules_without(ignore),
        'orphaned_results': resolve_orphaned_results(orphaned_results),
    }

    def processor(ctx: RunContext[Any], messages: list[ModelMessage] | None = None) -> list[ModelMessage]:
        if messages is None:  # called without a context: what came first are the messages
            history = cast(list[ModelMessage], ctx)
            return repair_history(history, dialect=dialect, **options).messages
        trace = RunTrace(counts_requests=False)
        repaired = messages
        try:
            serving = chosen or dialect_for(ctx.model)
            is_stored = (
                MODEL_REQUEST_HOOK == 'wrap'
            )  # then only the user can say what one provider's form may be stored
            report = repair_history(messages, dialect=chosen if is_stored else serving, **options)
            repaired = report.messages
            trace.repaired_for_request(report, messages, run_step=ctx.run_step, dialect=serving.name, tracer=ctx.tracer)
        except Exception as error:  # a bug in this package must not break the run
            with suppress(Exception):
                trace.failed(error, ctx.tracer)
        return repaired

    return cast(HistoryProcessor, processor)
