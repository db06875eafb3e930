"""What a trace shows of repairs: attributes and events on the current span, and a counter.

The only module that imports OpenTelemetry. Codes, indexes, ids and tool names only: never the content of a message.
"""

from __future__ import annotations

import collections
import traceback
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from opentelemetry import metrics, trace
from opentelemetry.metrics import Counter
from opentelemetry.trace import NoOpTracer, Span, Tracer
from pydantic_ai.messages import ModelMessage

from ._compat import CONTEXT_KNOWS_INSTRUMENTATION, is_plain_feedback, is_tool_result
from ._findings import Repair, RepairReport

PREFIX: Final = 'pydantic_ai.history_repair.'

Scope = Literal['run_start', 'wire']
"""Where a repair was made: in the stored history when the run started, or on the copy that went to the model."""

_COUNTS: Final = MappingProxyType(
    {
        'HR101': 'synthesized_tool_returns',
        'HR102': 'dropped_orphaned_results',
        'HR103': 'moved_tool_results',
        'HR104': 'merged_duplicate_results',
        'HR105': 'rewritten_tool_call_ids',
        'HR106': 'rewritten_tool_call_ids',
        'HR201': 'merged_messages',
        'HR203': 'moved_tool_results',
        'HR301': 'rewritten_tool_call_ids',
    }
)
"""The attribute that counts a rule's repairs; `other` for every rule that has none."""


@cache
def _repairs_counter() -> Counter:
    return metrics.get_meter('pydantic-ai-history-repair').create_counter(
        f'{PREFIX}repairs', unit='{repair}', description='Repairs made to message histories.'
    )


class _Record(NamedTuple):
    """Repairs made at one moment, as they go into a trace."""

    scope: Scope
    dialect: str
    repairs: tuple[Repair, ...]
    remaining: int
    first_changed_message: int | None


class RunTrace:
    """What the spans of one agent run are told, and the counter with them.

    Says nothing when nothing was repaired, when the run is not instrumented, or when the span is not recording.
    """

    def __init__(self, *, counts_requests: bool = True) -> None:
        self._counts_requests = counts_requests
        """Whether it lives for the whole run, so that it can tell how many requests in a row needed a repair."""
        self._run_span: Span | None = None
        self._at_run_start: list[_Record] = []
        self._for_next_request: list[_Record] = []
        self._consecutive_requests = 0
        self._step: int | None = None
        self._told: list[_Record] = []
        """What has been told of the request that `_step` is about."""

    def run_started(self, tracer: Tracer) -> None:
        """Remember the run's own span: it is the current one now, and no longer at the first model request."""
        self._run_span = _recording_span(tracer)

    def repaired_at_run_start(self, report: RepairReport, messages: Sequence[ModelMessage], *, dialect: str) -> None:
        """Show what was repaired in stored history `messages`: on the run's span now, on the first request's later."""
        record = _record(report, messages, dialect=dialect, scope='run_start')
        if record and self._run_span:
            self._at_run_start.append(record)
            self._for_next_request.append(record)
            _show(self._run_span, self._at_run_start, new=[record])
            _count(record)

    def repaired_for_request(
        self,
        report: RepairReport,
        messages: Sequence[ModelMessage],
        *,
        run_step: int,
        dialect: str,
        tracer: Tracer,
    ) -> None:
        """Show what was repaired in the outgoing `messages`, on the request's span.

        A step that is attempted again is the same request: a repair is shown and counted once, and a further one only if
        the model that is tried now demands it.
        """
        span = _recording_span(tracer)
        record = _record(report, messages, dialect=dialect, scope='wire')
        if self._step == run_step:
            self._tell_again(record, dialect, span)
            return
        self._step = run_step
        self._told = [*self._for_next_request, *([record] if record else [])]
        self._for_next_request = []
        self._consecutive_requests = self._consecutive_requests + 1 if self._told and self._counts_requests else 0
        if self._told and span:
            _show(span, self._told, new=self._told, consecutive_requests=self._consecutive_requests)
            if record:
                _count(record)

    def _tell_again(self, record: _Record | None, dialect: str, span: Span | None) -> None:
        if span is None or record is None:
            return
        told = {repair for earlier in self._told for repair in earlier.repairs}
        fresh = record._replace(repairs=tuple(repair for repair in record.repairs if repair not in told))
        if fresh.repairs:
            self._told = [*(earlier._replace(remaining=0) for earlier in self._told), fresh]
            _show(span, self._told, new=[fresh], consecutive_requests=self._consecutive_requests)
            _count(fresh)
        else:
            span.set_attribute(f'{PREFIX}dialect', dialect)  # the model may be another one

    def failed(self, error: Exception, tracer: Tracer) -> None:
        """Say on the current span that this package failed.

        The kind of error and the line it came from, not its message, which may quote content.
        """
        if span := _recording_span(tracer):
            frame = traceback.extract_tb(error.__traceback__)[-1]
            span.set_attribute(
                f'{PREFIX}error', f'{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}'
            )


def _recording_span(tracer: Tracer) -> Span | None:
    """The current span, if the run is instrumented and the span is recording.

    Without instrumentation the current span is somebody else's: the request handler's, say.
    """
    span = trace.get_current_span()
    instrumented = not isinstance(tracer, NoOpTracer) or (not CONTEXT_KNOWS_INSTRUMENTATION and _is_cores(span))
    return span if instrumented and span.is_recording() else None


def _is_cores(span: Span) -> bool:
    """Whether core opened a span for a run or a request; a tool's span belongs to the run around this one."""
    scope = getattr(getattr(span, 'instrumentation_scope', None), 'name', None)
    return scope == 'pydantic-ai' and not getattr(span, 'name', '').startswith(('running tool', 'execute_tool'))


def _record(report: RepairReport, messages: Sequence[ModelMessage], *, dialect: str, scope: Scope) -> _Record | None:
    repairs = tuple(repair for repair in report.repairs if not _made_by_framework(repair, messages))
    if not (repairs or report.remaining):
        return None
    return _Record(
        scope=scope,
        dialect=dialect,
        repairs=repairs,
        remaining=len(report.remaining),
        first_changed_message=report.first_changed_message,
    )


def _made_by_framework(repair: Repair, messages: Sequence[ModelMessage]) -> bool:
    """Whether the framework itself made this shape, in a run where nothing is wrong, so that nobody need do anything.

    Three shapes: a run that put its first request next to an older one, the new prompt after a history that ends on a
    request, say; and a response that a hook rejected with `ModelRetry`, whose calls were therefore never run: the next
    request of its run asks the model to try again; and that request itself, which core has the system say.
    """
    index = repair.location.message
    message = messages[index]
    if repair.code == 'HR201':
        return index > 0 and message.run_id is not None and message.run_id != messages[index - 1].run_id
    if repair.code == 'HR208':
        return repair.location.part is not None and is_plain_feedback(message.parts[repair.location.part])
    following = messages[index + 1 : index + 2]
    if repair.code != 'HR101' or not following or message.run_id is None or following[0].run_id != message.run_id:
        return False
    parts = following[0].parts
    return any(is_plain_feedback(part) for part in parts) and not any(is_tool_result(part) for part in parts)


def _show(span: Span, records: Sequence[_Record], *, new: Sequence[_Record], consecutive_requests: int = 0) -> None:
    """Put records on a span, together: `scope` and `dialect` are the last one's, the counts are sums."""
    repairs = [repair for record in records for repair in record.repairs]
    changed = [record.first_changed_message for record in records if record.first_changed_message is not None]
    tool_call_ids = list(dict.fromkeys(repair.tool_call_id for repair in repairs if repair.tool_call_id))
    numbers = {
        **collections.Counter(map(_leaf, repairs)),
        'total': len(repairs),
        'remaining': sum(record.remaining for record in records),
        'consecutive_requests': consecutive_requests,
    }
    attributes: dict[str, int | str | list[str]] = {name: number for name, number in numbers.items() if number}
    if repairs:
        attributes['codes'] = sorted({repair.code for repair in repairs})
    if tool_call_ids:
        attributes['tool_call_ids'] = tool_call_ids
    if changed:
        attributes['first_changed_message'] = min(changed)
    attributes['dialect'] = records[-1].dialect
    attributes['scope'] = records[-1].scope
    span.set_attributes({PREFIX + name: value for name, value in attributes.items()})
    for record in new:
        for repair in record.repairs:
            span.add_event(f'{PREFIX}repaired', _event_attributes(record, repair))


def _leaf(repair: Repair) -> str:
    return 'preserved_orphaned_results' if repair.action == 'noted' else _COUNTS.get(repair.code, 'other')


def _count(record: _Record) -> None:
    for code, number in collections.Counter(repair.code for repair in record.repairs).items():
        _repairs_counter().add(number, {'code': code, 'dialect': record.dialect, 'scope': record.scope})


def _event_attributes(record: _Record, repair: Repair) -> dict[str, int | str]:
    attributes = {
        'code': repair.code,
        'action': repair.action,
        'scope': record.scope,
        'message_index': repair.location.message,
        'part_index': repair.location.part,
        'tool_call_id': repair.tool_call_id,
        'tool_name': repair.tool_name,
    }
    return {name: value for name, value in attributes.items() if value is not None}
