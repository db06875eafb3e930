"""Single parts that a provider does not take: HR301 to HR304, HR401, HR402, HR501 to HR505, HR601."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import (
    CachePoint,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    NativeToolCallPart,
    NativeToolReturnPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pydantic_ai_history_repair import RULES, RepairHistory, check_history, repair_history
from pydantic_ai_history_repair._edits import Edits
from pydantic_ai_history_repair._history import History
from pydantic_ai_history_repair._repair import repair_on_terms
from pydantic_ai_history_repair._telemetry import RunTrace
from pydantic_ai_history_repair._terms import RequestFacts, Terms
from pydantic_ai_history_repair.dialects import DIALECTS

from ..agents import calls, returns, says, user


def repaired(history: list[ModelMessage], dialect: str, **options: Any) -> list[ModelMessage]:
    """What a dialect makes of a history; a second time nothing happens, and without a dialect nothing at all."""
    assert repair_history(history, **options).messages is history
    once = repair_history(history, dialect=dialect, **options).messages
    assert repair_history(once, dialect=dialect, **options).messages is once
    return once


def ids(history: list[ModelMessage]) -> list[str]:
    parts = [part for message in history for part in message.parts]
    return [part.tool_call_id for part in parts if isinstance(part, ToolCallPart | ToolReturnPart)]


@pytest.mark.parametrize(
    ('dialect', 'pattern'),
    [
        ('anthropic', r'[a-zA-Z0-9_-]+'),
        ('bedrock', r'[a-zA-Z0-9_-]{1,64}'),
        ('bedrock-nova', r'[a-zA-Z0-9_.:-]{1,64}'),
        ('openai-chat', r'.{1,64}'),
        ('mistral-compatible', r'[a-zA-Z0-9]{9}'),
        ('portable', r'[a-zA-Z0-9_-]{1,64}'),
    ],
)
def test_ids_fit(dialect: str, pattern: str):
    """Foreign ids fit the dialect on both sides, and ids that look alike once changed stay distinct."""
    foreign = ['f.x:0', 'f_x:0', 'f x|0', 'y' * 80, 'y' * 81, 'fits']
    after = repaired([user('go'), calls(*foreign), returns(*foreign), says()], dialect)
    called, answered = ids(after)[:6], ids(after)[6:]
    assert called == answered
    assert len(set(called)) == 6
    assert all(re.fullmatch(pattern, id) for id in called)
    assert [new for new, old in zip(called, foreign, strict=True) if re.fullmatch(pattern, old)] == [
        old for old in foreign if re.fullmatch(pattern, old)
    ]


def test_ids_that_are_taken():
    """A rewritten id is never one that is there."""
    [new, *_] = ids(repaired([calls('f.x'), returns('f.x'), says()], 'anthropic'))
    after = ids(repaired([calls('f.x', new), returns('f.x', new), says()], 'anthropic'))
    assert after[1] == new
    assert after[0] not in (new, 'f.x')


def test_same_id_same_name_in_every_turn():
    """An id that comes again in a later turn is rewritten to the same one, so a cached prefix holds."""
    history = [
        user('go'),
        calls('f.x:0'),
        returns('f.x:0'),
        says(),
        user('on'),
        calls('f.x:0'),
        returns('f.x:0'),
        says(),
    ]
    assert len(set(ids(repaired(history, 'anthropic')))) == 1


def test_native_ids_are_left_alone():
    """An id of a native tool is the provider's business."""
    native = NativeToolCallPart('web_search', {}, 'f.x:0', provider_name='openai')
    response = ModelResponse(parts=[native, *calls('f.x:0').parts])
    after = repaired([user('go'), response, returns('f.x:0')], 'anthropic')
    assert after[1].parts[0] is native


def test_live_calls_keep_ids_and_names():
    """What may still be executed keeps its id, for deferred results, and its name, which might be that of a tool."""
    history = [user('go'), ModelResponse(parts=[ToolCallPart('delete.all', {}, 'f.x:0')])]
    report = repair_history(history, dialect='anthropic', repair_last_response=False)
    assert report.messages is history
    assert [(finding.code, finding.fixable) for finding in report.remaining] == [('HR301', False), ('HR302', False)]


def test_names_fit():
    """Names are rewritten on calls and results; too long ones stay distinct."""
    names = ['search.evidence', '', 'x' * 70, 'x' * 71, 'fits']
    history = [
        user('go'),
        ModelResponse(parts=[ToolCallPart(name, {}, f'i{index}') for index, name in enumerate(names)]),
        ModelRequest(parts=[ToolReturnPart(name, 'r', f'i{index}') for index, name in enumerate(names)]),
    ]
    after = repaired(history, 'openai-chat')
    called = [getattr(part, 'tool_name') for part in after[1].parts]  # noqa: B009
    assert called == [getattr(part, 'tool_name') for part in after[2].parts]  # noqa: B009
    assert called[:2] == ['search_evidence', 'unnamed_tool']
    assert all(re.fullmatch('[a-zA-Z0-9_-]{1,64}', name) for name in called)
    assert len(set(called)) == 5


def test_results_name_their_call():
    """For Gemini a result takes the name of its own call, even where ids come again."""
    history = [
        *(user('go'), calls('a'), ModelRequest(parts=[ToolReturnPart('other', '1', 'a')]), says()),
        *(user('on'), calls('a'), returns('a'), says()),
    ]
    assert [getattr(part, 'tool_name') for part in repaired(history, 'google')[2].parts] == ['act']  # noqa: B009
    assert repair_history(history[4:], dialect='google').messages == history[4:]
    assert repair_history(history, dialect='anthropic').messages is history


def own(*parts: Any) -> ModelResponse:
    return ModelResponse(parts=[*parts], provider_name='openai')


def test_item_ids():
    """Item ids that are malformed or come twice go; what they stand for stays, several parts of one item too."""
    history: list[ModelMessage] = [
        user('go'),
        own(ThinkingPart('1', id='rs_1'), ThinkingPart('2', id='rs_1'), TextPart('a', id='msg_1')),
        user('on'),
        own(ToolCallPart('act', {}, 'a', id='call_1'), TextPart('b', id='msg_1')),
        returns('a'),
        ModelResponse(parts=[TextPart('c', id='msg_1')], provider_name='anthropic'),
        user('on'),
    ]
    after = repaired(history, 'openai-responses')
    assert [
        [getattr(part, 'id', None) for part in message.parts] for message in after if message.kind == 'response'
    ] == [
        ['rs_1', 'rs_1', 'msg_1'],
        [None, None],
        ['msg_1'],
    ]
    assert repair_history(history, dialect='mistral').messages is history


def test_reasoning_takes_its_items_along():
    """Where reasoning loses its id, so does what asks for it, but for a blank text that is left out."""
    twice = own(ThinkingPart('t', id='rs_1'), TextPart('', id='msg_1'), TextPart('a', id='msg_2'))
    history = [user('go'), twice, user('on'), twice, user('on')]
    after = repaired(history, 'openai-responses')
    assert [getattr(part, 'id', None) for part in after[3].parts] == [None, None, None]
    portable = repair_history(history, dialect='portable').messages
    assert [getattr(part, 'id', None) for part in portable[3].parts] == [None, None]


def test_reasoning_without_follower():
    """Reasoning that nothing it led to follows becomes plain; calls behind it lose their item ids."""
    history: list[ModelMessage] = [
        user('go'),
        own(ThinkingPart('t', id='rs_1'), TextPart('rewritten'), ToolCallPart('act', {}, 'a', id='fc_1')),
        returns('a'),
        own(ThinkingPart('t', id='rs_2')),
        user('on'),
        own(ThinkingPart('t', id='rs_3'), ThinkingPart('u', id='rs_4'), ToolCallPart('act', {}, 'b')),
        returns('b'),
        own(ThinkingPart('t', id='rs_5'), ThinkingPart('plain'), TextPart('x', id='msg_1')),
        user('on'),
        ModelResponse(parts=[ThinkingPart('t', id='rs_6')], provider_name='anthropic'),
        user('on'),
    ]
    after = repaired(history, 'openai-responses')
    assert [
        [getattr(part, 'id', None) for part in message.parts] for message in after if message.kind == 'response'
    ] == [
        [None, None, None],
        [None],
        ['rs_3', 'rs_4', None],
        [None, None, None],
        ['rs_6'],
    ]


def test_blank_text():
    """Blank texts go, an emptied message with them; in a prompt of several items only the blank ones; a result says so."""
    point = CachePoint()
    history: list[ModelMessage] = [
        ModelRequest(parts=[UserPromptPart(['', 'look', point])]),
        ModelResponse(parts=[TextPart(''), *calls('a', 'b').parts]),
        ModelRequest(parts=[ToolReturnPart('act', '', 'a'), ToolReturnPart('act', {'x': ''}, 'b')]),
        ModelResponse(parts=[TextPart('')], model_name='m'),
        ModelRequest(parts=[UserPromptPart(['', point])]),
        says(model_name='m'),
        user('on'),
    ]
    after = repaired(history, 'bedrock')
    assert [getattr(part, 'content', 'call') for message in after for part in message.parts] == [
        ['look', point],
        'call',
        'call',
        '(no content)',
        {'x': ''},
        'Fine.',
        'on',
    ]
    findings = check_history(history, dialect='bedrock')
    assert {finding.code for finding in findings} == {'HR401'}
    assert not any('look' in finding.message for finding in findings)


def test_white_space_alone_is_blank_for_some():
    """Anthropic takes neither; Bedrock takes white space."""
    history = [user('go'), says('\n', model_name='m'), user('on')]
    assert len(repaired(history, 'anthropic')) == 1
    assert repair_history(history, dialect='bedrock').messages is history


def test_empty_responses():
    """A response with nothing to send goes, and the requests around it become one; a file is something."""
    native = NativeToolCallPart('web_search', {}, 'n', provider_name='openai')
    history = [user('go'), ModelResponse(parts=[native]), user('on'), says(), user('end'), ModelResponse(parts=[])]
    after = repaired(history, 'groq')
    assert [[getattr(part, 'content', None) for part in message.parts] for message in after] == [
        ['go', 'on'],
        ['Fine.'],
        ['end'],
    ]
    assert repair_history(history, dialect='openai-chat').messages is history


def test_unsigned_thinking():
    """An empty signature goes; one signature under two texts is reported; other providers' thinking is left alone."""
    history: list[ModelMessage] = [
        user('go'),
        ModelResponse(
            parts=[
                ThinkingPart('1', signature='', provider_name='anthropic'),
                ThinkingPart('2', signature='', provider_name='openai'),
                ThinkingPart('whole', signature='c2ln', provider_name='anthropic'),
                ThinkingPart('whole', signature='c2ln', provider_name='anthropic'),
                ThinkingPart('wh', signature='c2ln', provider_name='anthropic'),
            ]
        ),
        user('on'),
    ]
    report = repair_history(history, dialect='anthropic')
    assert [getattr(part, 'signature', None) for part in report.messages[1].parts] == [None, '', 'c2ln', 'c2ln', 'c2ln']
    assert [(finding.code, finding.location, finding.fixable) for finding in report.remaining] == [
        ('HR501', (1, 4), False)
    ]


def test_foreign_thinking():
    """A Responses item id is no field of Chat, and what is no Base64 no signature of Gemini's; the rest stays."""
    chat = [
        ThinkingPart('1', id='rs_1', provider_name='openai'),
        ThinkingPart('2', id='reasoning_content', provider_name='openai'),
        ThinkingPart('3', id='rs_1', provider_name='anthropic'),
    ]
    history = [user('go'), ModelResponse(parts=[*chat, TextPart('x')]), user('on')]
    assert [getattr(part, 'id', None) for part in repaired(history, 'openai-chat')[1].parts] == [
        None,
        'reasoning_content',
        'rs_1',
        None,
    ]
    gemini = [
        ThinkingPart('1', signature='not base64!', provider_name='google-gla'),
        ThinkingPart('2', signature='c2ln', provider_name='google-gla'),
        ThinkingPart('3', provider_name='google-gla'),
    ]
    history = [user('go'), ModelResponse(parts=[*gemini, TextPart('x')]), user('on')]
    assert [getattr(part, 'signature', None) for part in repaired(history, 'google')[1].parts] == [
        None,
        'c2ln',
        None,
        None,
    ]


def test_what_is_for_all_keeps_item_ids():
    """An id that Responses asks for stays in a history that is to be valid for it too."""
    response = ModelResponse(parts=[ThinkingPart('1', id='rs_1', provider_name='openai'), TextPart('x', id='msg_1')])
    history = [user('go'), response, user('on')]
    assert repair_history(history, dialect='portable').messages is history


def test_unpaired_native_results():
    """A native result needs its call before it, once: orphans, reversed ones and second ones go."""

    def native(id: str, *kinds: type[Any], provider: str = 'anthropic') -> list[Any]:
        return [
            NativeToolCallPart('web_search', {}, id, provider_name=provider)
            if kind is NativeToolCallPart
            else NativeToolReturnPart('web_search', [], id, provider_name=provider)
            for kind in kinds
        ]

    call, result = NativeToolCallPart, NativeToolReturnPart
    response = ModelResponse(
        parts=[
            *native('1', call, result, result),
            *native('2', result, call),
            *native('3', result, provider='openai'),
            TextPart('x'),
        ]
    )
    after = repaired([user('go'), response, user('on')], 'anthropic')
    assert [getattr(part, 'tool_call_id', '') for part in after[1].parts] == ['1', '1', '2', '3', '']


class BedrockConverseModel(FunctionModel):
    """Known as Bedrock's adapter by its name."""

    @property
    def model_name(self) -> str:
        return 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'


async def sent(history: list[ModelMessage], monkeypatch: pytest.MonkeyPatch, **settings: Any) -> tuple[Any, Any]:
    """What a model without tools is sent, and the report of the repair."""
    reports: list[Any] = []
    told = RunTrace.repaired_for_request

    def listen(self: RunTrace, report: Any, *args: Any, **options: Any) -> None:
        reports.append(report)
        told(self, report, *args, **options)

    monkeypatch.setattr(RunTrace, 'repaired_for_request', listen)
    infos: list[AgentInfo] = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        infos.append(info)
        return ModelResponse(parts=[TextPart('done')])

    agent = Agent(BedrockConverseModel(answer), capabilities=[RepairHistory()])
    await agent.run('go on', message_history=history, model_settings=settings or None)  # pyright: ignore[reportArgumentType]
    return infos[0], reports[0]


@pytest.mark.anyio
async def test_tools_are_declared(monkeypatch: pytest.MonkeyPatch):
    """A history with calls goes out with their tools declared, none of them to be called; messages do not change."""
    info, report = await sent([user('go'), calls('a', 'b'), returns('a', 'b'), says()], monkeypatch)
    assert [tool.name for tool in info.function_tools] == ['act']
    assert info.model_settings == {'tool_choice': 'none'}
    assert [(repair.code, repair.action) for repair in report.repairs] == [('HR601', 'declared')]
    assert not report.changed


@pytest.mark.anyio
async def test_no_calls_no_tools(monkeypatch: pytest.MonkeyPatch):
    """Without calls in the history nothing is declared."""
    info, report = await sent([user('go'), says()], monkeypatch)
    assert (info.function_tools, report.repairs) == ([], ())


def test_a_rule_that_only_reports():
    """What cannot be repaired has no repair to ask for, and a rule goes by its code."""
    [rule] = [rule for rule in RULES if rule.code == 'HR505']
    history = History([user('go')])
    assert repr(rule) == 'HR505'
    with pytest.raises(NotImplementedError):
        rule.fix(history, [], Edits(history))


def test_tool_loop_from_the_start():
    """A history that begins in a tool loop, with a response that calls nothing in it, is looked through to its start."""
    terms = Terms(DIALECTS['anthropic'], request=RequestFacts(declares_tools=True, thinks=True))
    history: list[ModelMessage] = [says(model_name='m'), calls('a', model_name='m'), returns('a')]
    assert [str(finding.location) for finding in repair_on_terms(history, terms, RULES).remaining] == ['/1']


@pytest.mark.anyio
@pytest.mark.parametrize(
    ('settings', 'first', 'spoken', 'codes'),
    [
        ({}, [], False, []),
        ({'anthropic_thinking': {'type': 'adaptive'}}, [], False, []),
        ({'anthropic_thinking': {'type': 'enabled', 'budget_tokens': 1024}}, [], False, ['HR505']),
        ({'bedrock_additional_model_requests_fields': {'thinking': {'type': 'enabled'}}}, [], False, ['HR505']),
        ({'anthropic_thinking': {'type': 'enabled'}}, [ThinkingPart('t', signature='c2ln')], False, []),
        ({'anthropic_thinking': {'type': 'enabled'}}, [ThinkingPart('t')], False, ['HR505']),
        ({'anthropic_thinking': {'type': 'enabled'}}, [], True, []),
    ],
)
async def test_a_tool_loop_without_thinking_is_reported(
    settings: dict[str, Any], first: list[Any], spoken: bool, codes: list[str], monkeypatch: pytest.MonkeyPatch
):
    """With a budget for thinking, a tool loop that goes on must have some; once the user speaks it is over."""
    history = [user('go'), ModelResponse(parts=[*first, *calls('a').parts]), returns('a')]
    if spoken:
        history += [says(), user('on')]
    infos: list[Any] = []
    told = RunTrace.repaired_for_request

    def listen(self: RunTrace, report: Any, *args: Any, **options: Any) -> None:
        infos.append(report)
        told(self, report, *args, **options)

    monkeypatch.setattr(RunTrace, 'repaired_for_request', listen)
    model = BedrockConverseModel(lambda messages, info: ModelResponse(parts=[TextPart('done')]))
    agent = Agent(model, capabilities=[RepairHistory()])
    agent.tool_plain(name='act')(lambda: 'x')
    await agent.run(message_history=history, model_settings=settings)  # pyright: ignore[reportArgumentType]
    assert [finding.code for finding in infos[0].remaining] == codes
    assert all(not finding.fixable for finding in infos[0].remaining)
