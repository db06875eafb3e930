"""Histories that providers refuse: those that users reported, and one for each rule that a history can break."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from pydantic_ai import ModelSettings
from pydantic_ai.messages import (
    CachePoint,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    NativeToolCallPart,
    NativeToolReturnPart,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)

from .targets import Processor
from .texts import texts

_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)
_PYDANTIC_AI: Final = 'https://github.com/pydantic/pydantic-ai'
_OPENAI: Final = {'provider_name': 'openai', 'model_name': 'gpt-5-mini'}
_CLAUDE: Final = {'provider_name': 'anthropic', 'model_name': 'claude-sonnet-5'}


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A kind of broken history."""

    name: str
    source: str
    """Where it was reported, or the rule that it breaks."""

    history: Callable[[], list[ModelMessage]]
    """Makes it anew: a run changes the request that it resumes."""

    tools: bool = True
    """Whether the agent has tools."""

    processor: Processor | None = None
    """A history processor of the agent."""

    settings: ModelSettings | None = None

    @property
    def texts(self) -> list[str]:
        """What must be in the body that is sent."""
        history = self.history()
        return texts(self.processor(history) if self.processor else history)


def asks(*parts: str | ModelRequestPart, **options: Any) -> ModelRequest:
    """A request; a plain string is what the user says."""
    made = [UserPromptPart(part, timestamp=_NOW) if isinstance(part, str) else part for part in parts]
    return ModelRequest(parts=made, timestamp=_NOW, **options)


def says(*parts: str | ModelResponsePart, **options: Any) -> ModelResponse:
    """A response; a plain string is what the model says."""
    made = [TextPart(part) if isinstance(part, str) else part for part in parts]
    return ModelResponse(parts=made, timestamp=_NOW, **options)


def call(id: str, tool: str = 'act', args: Any = None, *, item: str | None = None) -> ToolCallPart:
    provider = 'openai' if item else None
    return ToolCallPart(tool, {} if args is None else args, tool_call_id=id, id=item, provider_name=provider)


def answer(id: str, content: Any = None, tool: str = 'act') -> ToolReturnPart:
    return ToolReturnPart(
        tool, f'result of {id or "it"}' if content is None else content, tool_call_id=id, timestamp=_NOW
    )


def retry(content: str, **of: Any) -> ModelRequestPart:
    """A retry as older releases stored it."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        return RetryPromptPart(content, timestamp=_NOW, **of)  # pyright: ignore[reportDeprecated]


def system(text: str) -> SystemPromptPart:
    return SystemPromptPart(text, timestamp=_NOW)


def user(*content: UserContent) -> UserPromptPart:
    return UserPromptPart(content, timestamp=_NOW)


def searched(id: str) -> NativeToolCallPart:
    return NativeToolCallPart('web_search', {'query': 'x'}, tool_call_id=id, provider_name='anthropic')


def found(id: str) -> NativeToolReturnPart:
    content = [{'type': 'web_search_result', 'url': 'u', 'title': 't', 'encrypted_content': 'e'}]
    return NativeToolReturnPart('web_search', content, tool_call_id=id, timestamp=_NOW, provider_name='anthropic')


def without_calls(messages: list[ModelMessage]) -> list[ModelMessage]:
    """A processor that compresses: a response with calls becomes a summary."""
    return [
        says('a summary') if any(isinstance(part, ToolCallPart) for part in message.parts) else message
        for message in messages
    ]


def last_only(messages: list[ModelMessage]) -> list[ModelMessage]:
    """A processor that keeps the last message."""
    return messages[-1:]


def _reported(
    name: str, thread: str, history: Callable[[], list[ModelMessage]], *, repository: str = _PYDANTIC_AI, **options: Any
) -> Shape:
    return Shape(name=name, source=f'{repository}/{thread}', history=history, **options)


def _rule(name: str, source: str, history: Callable[[], list[ModelMessage]], **options: Any) -> Shape:
    return Shape(name=name, source=f'https://github.com/{source}', history=history, **options)


def _loop(*parts: str | ModelResponsePart, result: str = 'the result', **options: Any) -> list[ModelMessage]:
    """A tool loop that goes on: a prompt, a response with the call A, its result."""
    return [asks('first'), says(*parts, **options), asks(answer('A', result))]


_THINKING: Final[Any] = {
    # The only one of the targets whose thinking has a budget.
    'bedrock_additional_model_requests_fields': {'thinking': {'type': 'enabled', 'budget_tokens': 1024}}
}

REPORTED: Final = (
    _reported(
        'an output tool was called, its result never stored',
        'issues/174',
        lambda: [asks('set it'), says(call('A', 'final_result', {'x': 5})), asks('five more')],
    ),
    _reported(
        'a slice that starts at a retry',
        'issues/1470',
        lambda: [
            asks(retry('mend the arguments', tool_name='final_result', tool_call_id='A')),
            says(call('B', 'final_result', {'agent': 'n'})),
            asks(answer('B', 'taken', 'final_result')),
            asks('next'),
        ],
    ),
    _reported(
        'a processor that keeps the last message',
        'issues/2050',
        lambda: _loop(call('A')),
        processor=last_only,
    ),
    _reported(
        'calls in the history of an agent without tools',
        'issues/1966',
        lambda: [
            asks('weather?'),
            says(call('A', 'get_weather')),
            asks(answer('A', 'sunny', 'get_weather')),
            says('Sunny.'),
            asks('in short?'),
        ],
        tools=False,
    ),
    _reported('nothing but a system prompt', 'issues/4495', lambda: [asks(system('preamble'))]),
    _reported('a welcome before the first prompt', 'issues/3503', lambda: [says('Welcome!'), asks('hi there')]),
    _reported(
        'thinking that was cut off before its signature',
        'issues/7597',
        lambda: [
            asks('first'),
            says('a reply'),
            asks('second'),
            says(ThinkingPart('half a thought', signature='', provider_name='anthropic'), **_CLAUDE),
            asks('third'),
        ],
    ),
    _reported(
        'thinking that lost its signature, with thinking on',
        'issues/3748',
        lambda: _loop(ThinkingPart('t'), 'let me look', call('A')),
        settings=_THINKING,
    ),
    _reported(
        'a tool loop without thinking, with thinking on',
        'issues/2075',
        lambda: _loop('wait', call('A')),
        settings=_THINKING,
    ),
    _reported(
        'a response of signed thinking alone, then a retry',
        'issues/7908',
        lambda: [
            asks('first'),
            says(ThinkingPart('hm', signature='c2ln', provider_name='bedrock'), provider_name='bedrock'),
            asks(retry('do answer')),
        ],
    ),
    _reported(
        'thinking between parallel calls',
        'issues/7430',
        lambda: [
            asks('first'),
            says(ThinkingPart('1'), call('A'), call('B'), ThinkingPart('2'), call('C')),
            asks(retry('mend the arguments', tool_name='act', tool_call_id='A'), answer('B'), answer('C')),
        ],
    ),
    _reported(
        'a native call without its result',
        'issues/6401',
        lambda: [
            asks('first'),
            says(
                NativeToolCallPart('code_execution', {}, tool_call_id='srv_1', provider_name='anthropic'),
                'so far',
                **_CLAUDE,
            ),
            asks(retry('again')),
        ],
    ),
    _reported(
        'an answer under another id',
        'issues/4728',
        lambda: [asks('first'), says(call('A', 'ask_user')), asks(answer('A-ui', 'it is fine', 'ask_user'), 'go on')],
    ),
    _reported(
        'one id for two calls that wait',
        'pull/6241',
        lambda: [asks('first'), says(call('dup', 'delete'), call('dup', 'read'))],
    ),
    _reported('a call and its result', 'issues/5287', lambda: _loop(call('A'))),
    _reported(
        'a tool that failed without a result',
        'issues/32',
        lambda: [asks('first'), says('on it', call('A')), asks('retry please')],
        repository='https://github.com/geekforbrains/sidekick-cli',
    ),
    _reported(
        'more cache points than are taken',
        'issues/3453',
        lambda: (
            [
                message
                for number in range(4)
                for message in (asks(user(f'question {number}', CachePoint())), says(f'reply {number}'))
            ]
            + [asks(user('question 4', CachePoint()))]
        ),
    ),
    _reported(
        'calls made by another model',
        'issues/3629',
        lambda: _loop(call('A'), provider_name='other', model_name='other'),
    ),
    _reported(
        'calls without a thought signature',
        'issues/165',
        lambda: _loop(call('A'), provider_name='other'),
        repository='https://github.com/mpfaffenberger/code_puppy',
    ),
    _reported(
        'a result whose call was cut off',
        'pull/6319',
        lambda: [asks(answer('A', 'Transfer done.', 'pay')), says('It is done.'), asks('and now?')],
    ),
)
"""Each as a user reported it, in our words."""

RULES_BROKEN: Final = (
    _rule(
        'one of two parallel calls has no result',
        'langgenius/dify/issues/32222',
        lambda: [asks('first'), says(call('A'), call('B')), asks(answer('A')), asks('second')],
    ),
    _rule(
        'a result comes after another turn',
        'vybestack/llxprt-code/issues/915',
        lambda: [asks('first'), says(call('A')), asks('hurry'), says('wait'), asks(answer('A'))],
    ),
    _rule(
        'a system message before the result',
        'gptme/gptme/issues/3421',
        lambda: [asks('first'), says(call('A')), asks(system('note'), answer('A'))],
    ),
    _rule(
        'a note before the result, under other instructions',
        'Amazon-Q-Developer/language-servers/pull/1235',
        lambda: [
            asks('first', instructions='one'),
            says(call('A')),
            asks('note', instructions='one'),
            asks(answer('A'), instructions='two'),
        ],
    ),
    _rule(
        'parallel results in two requests, under other instructions',
        'agno-agi/agno/pull/6694',
        lambda: [
            asks('first'),
            says(call('A'), call('B')),
            asks(answer('A'), instructions='one'),
            asks(answer('B'), instructions='two'),
        ],
    ),
    _rule(
        'text between parallel results',
        'pydantic/pydantic-ai/pull/653',
        lambda: [asks('first'), says(call('A'), call('B')), asks(answer('A')), says('half of it'), asks(answer('B'))],
    ),
    _rule(
        'two responses with calls in a row',
        'microsoft/agent-framework/issues/694',
        lambda: [
            asks('first'),
            says(call('A'), model_name='m', provider_name='p'),
            says(call('B'), model_name='m', provider_name='p'),
            asks(answer('A'), answer('B')),
        ],
    ),
    _rule(
        'text after a call, in the next response',
        'microsoft/agent-framework/issues/694',
        lambda: [
            asks('first'),
            says(call('A'), model_name='m', provider_name='p'),
            says('wait', model_name='m', provider_name='p'),
            asks(answer('A')),
        ],
    ),
    _rule('text after a call', 'BerriAI/litellm/issues/24361', lambda: _loop(call('A'), 'afterwards')),
    _rule(
        'two results for one call',
        'agno-agi/agno/issues/5116',
        lambda: [asks('first'), says(call('A')), asks(answer('A', 'first'), answer('A', 'second'))],
    ),
    _rule(
        'the same result in two requests',
        'google-gemini/gemini-cli/issues/3814',
        lambda: [asks('first'), says(call('A')), asks(answer('A')), says('done'), asks(answer('A'), 'second')],
    ),
    _rule(
        'one id for two calls of a response',
        'anthropics/claude-code/issues/21317',
        lambda: [
            asks('first'),
            says(call('A', args={'x': 1}), call('A', args={'x': 2})),
            asks(answer('A', 'first'), answer('A', 'second')),
        ],
    ),
    _rule(
        'one id in two turns',
        'NousResearch/hermes-agent/issues/102629',
        lambda: [
            *_loop(call('A'), result='first'),
            says('done'),
            asks('second'),
            says(call('A')),
            asks(answer('A', 'second')),
        ],
    ),
    _rule(
        'an id with other characters',
        'anomalyco/opencode/issues/1279',
        lambda: [
            asks('first'),
            says(call('functions.act:0'), call('call_x|fc_y')),
            asks(answer('functions.act:0', 'first'), answer('call_x|fc_y', 'second')),
        ],
    ),
    _rule(
        'a long id',
        'earendil-works/pi/issues/1022',
        lambda: [asks('first'), says(call('x' * 300)), asks(answer('x' * 300, 'the result'))],
    ),
    _rule(
        'an empty id',
        'BigPizzaV3/CodexPlusPlus/issues/315',
        lambda: [asks('first'), says(call('')), asks(answer('', 'the result'))],
    ),
    _rule(
        'an empty prompt',
        'block/buzz/pull/559',
        lambda: [asks('first'), says('second'), asks(''), says('third'), asks('fourth')],
    ),
    _rule(
        'a blank prompt',
        'anthropics/claude-code/issues/23440',
        lambda: [asks('first'), says('second'), asks(' \n'), says('third'), asks('fourth')],
    ),
    _rule('empty text in a response', 'OpenHands/OpenHands/issues/5339', lambda: _loop('', call('A'))),
    _rule(
        'a blank response', 'anthropics/claude-code/issues/23440', lambda: [asks('first'), says(' \n'), asks('second')]
    ),
    _rule('an empty result', 'boto/botocore/issues/3525', lambda: _loop(call('A'), result='')),
    _rule('a blank result', 'farion1231/cc-switch/pull/7373', lambda: _loop(call('A'), result=' ')),
    _rule(
        'a response without parts',
        'langchain-ai/langchain-cohere/pull/15',
        lambda: [asks('first'), says(), asks('second')],
    ),
    _rule(
        'one item id twice',
        'vercel/ai/issues/7883',
        lambda: [
            asks('first'),
            says(TextPart('second', id='msg_1', provider_name='openai'), **_OPENAI),
            asks('third'),
            says(TextPart('fourth', id='msg_1', provider_name='openai'), **_OPENAI),
            asks('fifth'),
        ],
    ),
    _rule(
        'an item id of another kind',
        'gethnet/litellm-connector-copilot/issues/54',
        lambda: _loop(call('A', item='item_9'), **_OPENAI),
    ),
    _rule(
        'an item id with other characters',
        'langchain-ai/langchainjs/issues/11044',
        lambda: _loop(
            ThinkingPart('t', id='rs_1', signature='e', provider_name='openai'),
            call('A', item='fc_x.y'),
            **_OPENAI,
        ),
    ),
    _rule(
        'reasoning without what it led to',
        'pydantic/pydantic-ai/issues/2870',
        lambda: [
            asks('first'),
            says(ThinkingPart('t', id='rs_1', signature='e', provider_name='openai'), **_OPENAI),
            asks('second'),
        ],
    ),
    _rule(
        'reasoning of Responses, sent to Chat Completions',
        'pydantic/pydantic-ai/blob/v2.68.0/pydantic_ai_slim/pydantic_ai/models/openai/_chat_model.py',
        lambda: [
            asks('first'),
            says(ThinkingPart('t', id='rs_1', signature='e', provider_name='openai'), 'second', **_OPENAI),
            asks('third'),
        ],
    ),
    _rule(
        'a native result without its call',
        'anthropics/claude-code/issues/64383',
        lambda: [asks('first'), says(found('srv_1'), 'second', **_CLAUDE), asks('third')],
    ),
    _rule(
        'a native result before its call',
        'vercel/ai/pull/17390',
        lambda: [asks('first'), says(found('srv_1'), searched('srv_1'), 'second', **_CLAUDE), asks('third')],
    ),
    _rule(
        'two native results for one call',
        'vercel/ai/pull/17390',
        lambda: [
            asks('first'),
            says(searched('srv_1'), found('srv_1'), found('srv_1'), 'second', **_CLAUDE),
            asks('third'),
        ],
    ),
    _rule(
        'native tools of another provider',
        'coder/coder/pull/26555',
        lambda: [asks('first'), says(searched('srv_1'), found('srv_1'), 'second', **_CLAUDE), asks('third')],
    ),
    _rule(
        'a signature that is not Base64',
        'google-gemini/gemini-cli/issues/13467',
        lambda: _loop(ThinkingPart('t', signature='*', provider_name='google'), call('A'), provider_name='google'),
    ),
    _rule(
        'a tool name with other characters',
        'mcp-use/mcp-use/pull/94',
        lambda: [asks('first'), says(call('A', 'search.evidence')), asks(answer('A', 'the result', 'search.evidence'))],
    ),
    _rule(
        'a long tool name',
        'pydantic/pydantic-ai/issues/4585',
        lambda: [asks('first'), says(call('A', 'x' * 130)), asks(answer('A', 'the result', 'x' * 130))],
    ),
    _rule(
        'an empty tool name',
        'pydantic/pydantic-ai/issues/4585',
        lambda: [asks('first'), says(call('A', '')), asks(answer('A', 'the result', ''))],
    ),
    Shape(
        name='a result under another tool name',
        source='https://ai.google.dev/gemini-api/docs/function-calling',
        history=lambda: [asks('first'), says(call('A', 'read')), asks(answer('A', 'the result', 'act'))],
    ),
    _rule('arguments that were cut off', 'HKUDS/nanobot/issues/1487', lambda: _loop(call('A', args='{"x": '))),
    _rule('arguments that are no object', 'anthropics/claude-code/issues/6695', lambda: _loop(call('A', args='[1]'))),
    _rule(
        'a result that is a list',
        'sigoden/aichat/pull/1550',
        lambda: [asks('first'), says(call('A')), asks(answer('A', ['one thing', 'another']))],
    ),
    _rule(
        'a late system message',
        'vllm-project/vllm/issues/41114',
        lambda: [asks('first'), says('second'), asks(system('note'), 'third')],
    ),
    _rule(
        'no user message',
        'MetaGLM/zhipuai-sdk-python-v4/issues/14',
        lambda: [asks(system('preamble')), says(call('A')), asks(answer('A'))],
    ),
    _rule(
        'a call at the start',
        'google-gemini/gemini-cli/issues/11814',
        lambda: [says(call('A')), asks(answer('A')), says('second'), asks('third')],
    ),
    _rule(
        'a processor that compresses the last call',
        'smallmain/vscode-unify-chat-provider/issues/249',
        lambda: _loop(call('A')),
        processor=without_calls,
    ),
    _rule(
        'the user speaks right after a result',
        'pipecat-ai/pipecat-flows/issues/178',
        lambda: [asks('first'), says(call('A')), asks(answer('A'), 'second')],
    ),
)
"""One for each rule that a history can break, with the thread that shows it broken."""

SHAPES: Final = {shape.name: shape for shape in (*REPORTED, *RULES_BROKEN)}
