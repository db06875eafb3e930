"""Pydantic AI's own adapters, each in front of a strict provider, and what they send for a history."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NoReturn
from unittest.mock import patch

import anthropic
import groq
import openai
from pydantic_ai import Agent, ModelSettings
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, UserPromptPart, repair_messages
from pydantic_ai.models import Model, ModelRequestParameters, override_allow_model_requests
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.groq import GroqModel
from pydantic_ai.models.mistral import MistralModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.bedrock import BedrockProvider
from pydantic_ai.providers.deepseek import DeepSeekProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.groq import GroqProvider
from pydantic_ai.providers.mistral import MistralProvider
from pydantic_ai.providers.moonshotai import MoonshotAIProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.tools import ToolDefinition

from pydantic_ai_history_repair import RepairHistory, dialect_for, repair_history
from pydantic_ai_history_repair.strict_provider import ApiName, WireViolation, check_request, strict_provider

Processor = Callable[[list[ModelMessage]], list[ModelMessage]]

NEXT: Final = 'And now?'
"""What the user says after a history that ends on a response."""

_SETTINGS: Final = ModelSettings(max_tokens=4096)  # without a limit the Anthropic adapter streams
_LEFT_OUT: Final = (anthropic.NotGiven, anthropic.Omit, groq.NotGiven, groq.Omit, openai.NotGiven, openai.Omit)
_PARAMETERS: Final = ModelRequestParameters(function_tools=[ToolDefinition(name='act')])


@dataclass(frozen=True, kw_only=True)
class Target:
    """An adapter, and the provider that judges what it sends."""

    name: str
    api: ApiName
    make: Callable[[str], Model[Any]]
    family: str | None = None
    excused: str = ''
    """A code of the strict provider that is the adapter's matter, whatever the history."""


@dataclass(frozen=True, kw_only=True)
class Sent:
    """What became of one history: the first request that left, or the error instead."""

    text: str | None
    """The body as JSON; `None` if Pydantic AI itself refused."""

    codes: tuple[str, ...] = ()
    """What the provider refuses it for."""

    error: Exception | None = None

    @property
    def accepted(self) -> bool:
        """Whether a request left, and the provider takes it."""
        return self.text is not None and not self.codes

    @property
    def refused_by_framework(self) -> tuple[type[Exception], str] | None:
        """The error that Pydantic AI raised before a request left."""
        return None if self.text is not None or self.error is None else (type(self.error), str(self.error))

    def lacks(self, texts: Iterable[str]) -> list[str]:
        """Those of the texts that are not in the body."""
        return [text for text in texts if json.dumps(text)[1:-1] not in (self.text or '')]


@dataclass(kw_only=True)
class Wire:
    """A target with its model, ready to send."""

    target: Target
    model: Model[Any]
    _judged: list[Sent] = field(default_factory=list[Sent])
    _agents: dict[tuple[object, ...], Agent] = field(default_factory=dict[tuple[object, ...], Agent])

    async def send(
        self,
        history: list[ModelMessage],
        *,
        repaired: bool,
        tools: bool = True,
        processor: Processor | None = None,
        settings: ModelSettings | None = None,
    ) -> Sent:
        """Run an agent on a history, with `RepairHistory` or without."""
        agent = self._agent(repaired, tools, processor)
        prompt = NEXT if not history or isinstance(history[-1], ModelResponse) else None
        return await self._first(agent.run(prompt, message_history=history, model_settings=settings))

    async def send_directly(self, history: list[ModelMessage]) -> Sent:
        """What `send` does with repair, without the agent around it."""
        if not history or isinstance(history[-1], ModelResponse):
            history = [*history, ModelRequest(parts=[UserPromptPart(NEXT)])]
        stored = repair_history(history, repair_last_response=False).messages
        outgoing = repair_messages(repair_history(stored, dialect=dialect_for(self.model)).messages)
        prepared = repair_messages(self.model.prepare_messages(outgoing, _PARAMETERS))
        return await self._first(self.model.request(prepared, _SETTINGS, _PARAMETERS))

    @contextmanager
    def without_http(self) -> Generator[None]:
        """Takes the body where the adapter hands it to the SDK, for the SDKs that send it as it is: much faster."""
        match self.model:
            case AnthropicModel():
                resource: object = self.model.client.beta.messages
            case OpenAIResponsesModel():
                resource = self.model.client.responses
            case OpenAIChatModel() | GroqModel():
                resource = self.model.client.chat.completions
            case _:
                yield
                return
        with patch.object(resource, 'create', self._take):
            yield

    def judge(self, api: str, body: object, /, **options: str | None) -> list[WireViolation]:
        """`check_request`, but for what is excused; what it says is kept."""
        violations = check_request(api, body, **options)
        violations = [violation for violation in violations if violation.code != self.target.excused]
        codes = tuple(violation.code for violation in violations)
        self._judged.append(Sent(text=json.dumps(body), codes=codes))
        return violations

    async def _take(self, **given: Any) -> NoReturn:
        for option in ('betas', 'extra_headers', 'extra_query', 'timeout'):
            given.pop(option, None)
        more = given.pop('extra_body', None)
        body = {name: value for name, value in given.items() if not isinstance(value, _LEFT_OUT)}
        body = json.loads(json.dumps(body | (more if isinstance(more, dict) else {})))
        self.judge(self.target.api, body, family=self.target.family)
        raise _Taken

    async def _first(self, sending: Awaitable[object]) -> Sent:
        self._judged.clear()
        error: Exception | None = None
        try:
            await sending
        except Exception as raised:
            error = raised
        return self._judged[0] if self._judged else Sent(text=None, error=error)

    def _agent(self, repaired: bool, tools: bool, processor: Processor | None) -> Agent:
        key = (repaired, tools, processor)
        if key not in self._agents:
            capabilities = [ProcessHistory(processor)] if processor else []
            self._agents[key] = agent = Agent(
                self.model,
                capabilities=[*capabilities, *([RepairHistory()] if repaired else [])],
                model_settings=_SETTINGS,
            )
            if tools:
                agent.tool_plain(name='act')(_act)
        return self._agents[key]


class _Taken(Exception):
    """There is no answer: the body is all that was wanted."""


def _act() -> str:
    raise AssertionError('repair made a call run')


@asynccontextmanager
async def connected(target: Target) -> AsyncGenerator[Wire]:
    """A target in front of a strict provider of its own."""
    wire: Wire | None = None

    def judge(api: str, body: object, /, **options: str | None) -> list[WireViolation]:
        assert wire
        return wire.judge(api, body, **options)

    with (
        override_allow_model_requests(True),
        strict_provider(target.api, family=target.family, judge=judge) as provider,
    ):
        wire = Wire(target=target, model=target.make(provider.base_url))
        async with wire.model:  # closes the SDK's connections at the end, but not those of a client made here
            yield wire
        if isinstance(wire.model, OpenAIChatModel):
            await wire.model.client.close()


def _anthropic(name: str, url: str) -> Model[Any]:
    return AnthropicModel(name, provider=AnthropicProvider(base_url=url, api_key='none'))


def _bedrock(name: str, url: str) -> Model[Any]:
    provider = BedrockProvider(
        base_url=url, region_name='us-east-1', aws_access_key_id='none', aws_secret_access_key='none'
    )
    return BedrockConverseModel(name, provider=provider)


def _chat(name: str, url: str) -> Model[Any]:
    return OpenAIChatModel(name, provider=OpenAIProvider(base_url=url, api_key='none'))


def _deepseek(url: str) -> Model[Any]:
    return OpenAIChatModel('deepseek-chat', provider=DeepSeekProvider(openai_client=_client(url)))


def _google(url: str) -> Model[Any]:
    return GoogleModel('gemini-2.5-flash', provider=GoogleProvider(base_url=url, api_key='none'))


def _groq(url: str) -> Model[Any]:
    return GroqModel('llama-3.3-70b-versatile', provider=GroqProvider(base_url=url, api_key='none'))


def _kimi(url: str) -> Model[Any]:
    return OpenAIChatModel('kimi-k2-0905-preview', provider=MoonshotAIProvider(openai_client=_client(url)))


def _mistral(url: str) -> Model[Any]:
    return MistralModel('mistral-small-latest', provider=MistralProvider(base_url=url, api_key='none'))


def _responses(url: str) -> Model[Any]:
    return OpenAIResponsesModel('gpt-5-mini', provider=OpenAIProvider(base_url=url, api_key='none'))


def _client(url: str) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=url, api_key='none', max_retries=0)


_CLAUDE_ON_BEDROCK: Final = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'

TARGETS: Final = {
    target.name: target
    for target in (
        Target(name='anthropic', api='anthropic', make=partial(_anthropic, 'claude-sonnet-5')),
        Target(name='openai-chat', api='openai-chat', make=partial(_chat, 'gpt-5-mini')),
        Target(name='openai-responses', api='openai-responses', make=_responses),
        Target(name='google', api='google', make=_google),
        Target(name='bedrock', api='bedrock', make=partial(_bedrock, _CLAUDE_ON_BEDROCK)),
        Target(name='bedrock-nova', api='bedrock', make=partial(_bedrock, 'us.amazon.nova-pro-v1:0')),
        Target(name='mistral', api='mistral', make=_mistral),
        Target(name='groq', api='openai-chat', family='groq', make=_groq),
        Target(name='deepseek', api='openai-chat', make=_deepseek),
        Target(name='kimi', api='openai-chat', make=_kimi),
        Target(name='minimax', api='openai-chat', family='minimax', make=partial(_chat, 'MiniMax-M2')),
        Target(name='minimax-anthropic', api='anthropic', family='minimax', make=partial(_anthropic, 'MiniMax-M2')),
        Target(name='glm', api='openai-chat', family='glm', make=partial(_chat, 'glm-4.6')),
        # The adapter leaves out the content beside calls. That is no fault of a history, and repair must not change it:
        # https://github.com/pydantic/pydantic-ai/issues/5287.
        Target(
            name='qwen',
            api='openai-chat',
            family='qwen',
            make=partial(_chat, 'qwen-max'),
            excused='qwen-content-required',
        ),
        Target(
            name='mistral-compatible',
            api='openai-chat',
            family='mistral',
            make=partial(_chat, 'mistral-small-latest'),
        ),
    )
}
"""By the name of the dialect that each one speaks."""
