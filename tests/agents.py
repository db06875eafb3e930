"""Agents without a provider, every way to run one, and what its model was sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio.to_thread
from pydantic_ai import Agent, AgentRunResult, AgentRunResultEvent
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from pydantic_ai_history_repair._history import is_synthesized

ENTRY_POINTS = ('run', 'run_sync', 'run_stream', 'run_stream_events', 'iter')


@dataclass
class ScriptedModel:
    """A model that gives its answers in turn, then only says 'done', and keeps what it was sent."""

    answers: list[ModelResponse] = field(default_factory=list[ModelResponse])
    seen: list[list[ModelMessage]] = field(default_factory=list[list[ModelMessage]])

    def model(self) -> FunctionModel:
        return FunctionModel(self._answer, stream_function=self._stream)

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.seen.append(list(messages))
        return self.answers.pop(0) if self.answers else ModelResponse(parts=[TextPart('done')])

    async def _stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        for part in self._answer(messages, info).parts:
            if isinstance(part, ToolCallPart):
                call = DeltaToolCall(part.tool_name, part.args_as_json_str(), tool_call_id=part.tool_call_id)
                yield {0: call}
            else:
                assert isinstance(part, TextPart)
                yield part.content


async def run_through(
    entry_point: str, agent: Agent[Any, Any], prompt: str | None, history: Sequence[ModelMessage], **options: Any
) -> list[ModelMessage]:
    """Run an agent through one of its entry points and return the run's whole history."""
    if entry_point == 'run_sync':

        def run_sync() -> list[ModelMessage]:
            with asyncio.Runner() as runner:
                asyncio.set_event_loop(runner.get_loop())
                return agent.run_sync(prompt, message_history=history, **options).all_messages()

        return await anyio.to_thread.run_sync(run_sync)
    if entry_point == 'run_stream':
        async with agent.run_stream(prompt, message_history=history, **options) as stream:
            await stream.get_output()
            return stream.all_messages()
    if entry_point == 'run_stream_events':
        result: AgentRunResult[Any] | None = None
        async with agent.run_stream_events(prompt, message_history=history, **options) as events:
            async for event in events:
                if isinstance(event, AgentRunResultEvent):
                    result = event.result
        assert result is not None
        return result.all_messages()
    if entry_point == 'iter':
        async with agent.iter(prompt, message_history=history, **options) as run:
            async for _ in run:
                pass
        assert run.result is not None
        return run.result.all_messages()
    result = await agent.run(prompt, message_history=history, **options)
    return result.all_messages()


def shape(messages: Sequence[ModelMessage]) -> list[str]:
    """One line per message: what it holds, with ids, for assertions that can be read."""
    return [f'{message.kind}: ' + ', '.join(map(_part, message.parts)) for message in messages]


def _part(part: ModelRequestPart | ModelResponsePart) -> str:
    if isinstance(part, ToolCallPart):
        return f'call {part.tool_call_id}'
    if isinstance(part, ToolReturnPart):
        return f'{"synthesized" if is_synthesized(part) else "return"} {part.tool_call_id}'
    if isinstance(part, UserPromptPart):
        return f'user {part.content}'
    return part.part_kind


def user(text: str, **options: Any) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(text)], **options)


def calls(*tool_call_ids: str, **options: Any) -> ModelResponse:
    return ModelResponse(parts=[ToolCallPart('act', {}, tool_call_id=id) for id in tool_call_ids], **options)


def returns(*tool_call_ids: str, **options: Any) -> ModelRequest:
    return ModelRequest(parts=[ToolReturnPart('act', 'acted', tool_call_id=id) for id in tool_call_ids], **options)


def says(text: str = 'Fine.', **options: Any) -> ModelResponse:
    return ModelResponse(parts=[TextPart(text)], **options)
