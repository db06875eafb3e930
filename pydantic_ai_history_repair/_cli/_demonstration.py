"""What `demo` shows: one history, sent twice through a real adapter to a strict provider."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent, Tool
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.messages import ModelMessage, ToolCallPart
from pydantic_ai.models.instrumented import InstrumentationSettings

from .._capability import RepairHistory
from .._repair import repair_history
from .._telemetry import PREFIX
from ..strict_provider import ApiName, RecordedRequest, Text, strict_provider
from ._adapters import adapter
from ._terminal import say


async def demonstrate(
    history: Sequence[ModelMessage], repairing: RepairHistory[Any], *, dialect: ApiName, prompt: str
) -> bool:
    """Send a history without the capability and with it, and show what the provider answers.

    Returns:
        Whether the provider accepts the history with the capability.

    Raises:
        MissingSDK: If the provider's SDK is not installed.
    """
    say(f'A stored conversation of {len(history)} messages goes to {dialect}, through the real adapter of pydantic-ai')
    say(f'{version("pydantic-ai-slim")}, to a provider on loopback that enforces the rules of that API.')

    _heading('1. Without RepairHistory')
    without = await _send(history, dialect=dialect, prompt=prompt, capabilities=[])
    _show_answer(without)

    option = '' if repairing.unanswered_calls == 'raise' else f'unanswered_calls={repairing.unanswered_calls!r}'
    _heading(f'2. With Agent(..., capabilities=[RepairHistory({option})])')
    spans = InMemorySpanExporter()
    tracing = TracerProvider()
    tracing.add_span_processor(SimpleSpanProcessor(spans))
    instrumentation = Instrumentation(settings=InstrumentationSettings(tracer_provider=tracing, include_content=False))
    repaired = await _send(history, dialect=dialect, prompt=prompt, capabilities=[instrumentation, repairing])
    _show_answer(repaired)

    _heading('3. What was repaired')
    report = repair_history(history, dialect=dialect)
    if not (report.repairs or report.remaining):
        say('   Nothing: no rule of this release finds anything.')
    for repair in report.repairs:
        place = str(repair.location)
        say(f'   {repair.code}  {repair.name:<22} {place:<12} {repair.action:<12} {repair.tool_call_id or ""}'.rstrip())

    for finding in report.remaining:
        say(f'   {finding.code}  {finding.name:<22} {finding.location!s:<12} remains: {finding.message}')

    _heading('4. What the trace shows')
    _show_spans(spans.get_finished_spans())
    if without.accepted and report.repairs:
        say()
        say('   Pydantic AI has repaired this by itself. The trace is what tells you that it had to.')
    return repaired.accepted


@dataclass
class _Answer:
    """How a run ended, and the last request that the provider saw of it."""

    request: RecordedRequest | None
    error: str | None

    @property
    def accepted(self) -> bool:
        return self.error is None and self.request is not None and self.request.status == 200


async def _send(
    history: Sequence[ModelMessage], *, dialect: ApiName, prompt: str, capabilities: Sequence[Any]
) -> _Answer:
    tools = {part.tool_name for message in history for part in message.parts if isinstance(part, ToolCallPart)}
    with strict_provider(dialect, script=[Text('Chez Jeanne, 19:30, number 4711.')]) as provider:
        agent: Agent[Any, str] = Agent(
            adapter(dialect, provider.base_url),
            tools=[_stand_in(name) for name in sorted(tools)],
            capabilities=list(capabilities),
        )
        error = None
        try:
            async with agent:  # closes the SDK's connections at the end
                # Without `max_tokens` the Anthropic adapter streams, and a stream is harder to read.
                await agent.run(prompt, message_history=list(history), model_settings={'max_tokens': 4096})
        except (AgentRunError, UserError) as failure:
            error = f'{type(failure).__name__}: {failure}'
        return _Answer(provider.requests[-1] if provider.requests else None, error)


def _stand_in(name: str) -> Tool[Any]:
    """A tool of the history, so that the request declares what its messages use."""
    return Tool[Any].from_schema(dict[str, Any], name, None, {'type': 'object', 'properties': {}})


def _heading(text: str) -> None:
    say()
    say(text, style='bold')
    say()


def _show_answer(answer: _Answer) -> None:
    request = answer.request
    if request is None:
        say(f'   refused before it was sent: {answer.error}', style='red')
        return
    say(f'   {request.method} {request.path} -> {request.status}', style='red' if request.status >= 400 else 'green')
    for violation in request.violations:
        say(f'   {violation.pointer}: {violation.provider_error}')
    body: dict[str, Any] = request.body or {}
    if answer.accepted:
        [entries] = [body[key] for key in ('messages', 'input', 'contents') if key in body]
        for entry in entries:
            say(f'   {_short(entry)}')
    elif not request.violations:
        say(f'   {answer.error}')


def _short(entry: object, width: int = 150) -> str:
    text = json.dumps(entry, ensure_ascii=False)
    return text if len(text) <= width else f'{text[: width - 4]} ...'


def _show_spans(spans: Sequence[ReadableSpan]) -> None:
    children: dict[int | None, list[ReadableSpan]] = {}
    for span in spans:
        children.setdefault(span.parent.span_id if span.parent else None, []).append(span)

    def show(span: ReadableSpan, indent: str) -> None:
        say(f'{indent}{span.name}', style='bold')
        for name, value in sorted((span.attributes or {}).items()):
            if name.startswith(PREFIX):
                say(f'{indent}  {name} = {list(value) if isinstance(value, tuple) else value}')
        for child in children.get(span.context.span_id if span.context else None, []):
            show(child, f'{indent}    ')

    for root in children.get(None, []):
        show(root, '   ')
