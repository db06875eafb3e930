"""What stands where: HR103 per dialect, HR202 to HR208."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    NativeToolCallPart,
    NativeToolReturnPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    UserPromptPart,
)

from pydantic_ai_history_repair import check_history, repair_history

from ..agents import calls, returns, says, shape, user


def kinds(history: list[ModelMessage]) -> list[list[str]]:
    return [[part.part_kind for part in message.parts] for message in history]


def repaired(history: list[ModelMessage], dialect: str, **options: Any) -> list[ModelMessage]:
    """What a dialect makes of a history; a second time nothing happens."""
    once = repair_history(history, dialect=dialect, **options).messages
    assert repair_history(once, dialect=dialect, **options).messages is once
    return once


TOGETHER = [user('go'), calls('a', model_name='m'), calls('b', model_name='m'), returns('a', 'b'), says()]


@pytest.mark.parametrize('dialect', ['openai-chat', 'groq', 'deepseek', 'mistral', 'portable'])
def test_each_response_is_answered(dialect: str):
    """Where responses in a row are turns of their own, the first one's result comes between the two."""
    assert shape(repaired(TOGETHER, dialect))[1:5] == [
        'response: call a',
        'request: return a',
        'response: call b',
        'request: return b',
    ]


@pytest.mark.parametrize('dialect', [None, 'anthropic', 'bedrock', 'google', 'openai-responses'])
def test_responses_in_a_row_are_one_turn(dialect: str | None):
    """Elsewhere, and in stored history, they are left as they are."""
    assert repair_history(TOGETHER, dialect=dialect).messages is TOGETHER


def test_a_later_response_that_speaks_parts_the_turn():
    """Anthropic takes nothing behind a call: what a next response says has the results put in front of it."""
    history = [user('go'), calls('a', model_name='m'), says('Wait.', model_name='m'), returns('a'), says()]
    assert shape(repaired(history, 'anthropic')) == [
        'request: user go',
        'response: call a',
        'request: return a',
        'response: text',
        'response: text',
    ]
    silent = [user('go'), calls('a', model_name='m'), ModelResponse(parts=[], model_name='m'), returns('a'), says()]
    assert repair_history(silent, dialect='anthropic').messages is silent


def test_results_come_first():
    """Within a request that answers calls everything else is behind the results."""
    mixed = ModelRequest(parts=[SystemPromptPart('Note.'), UserPromptPart('Hm.'), *returns('a').parts])
    history = [user('go'), calls('a'), mixed]
    assert kinds(repaired(history, 'bedrock'))[2] == ['tool-return', 'system-prompt', 'user-prompt']
    assert repair_history(history, dialect='openai-responses').messages is history
    assert repair_history(history).messages is history


def test_results_are_gathered_over_instructions():
    """Requests with different instructions stay two; their results move into the first, the last stays even if empty."""
    history = [
        user('go'),
        calls('a', 'b'),
        ModelRequest(parts=[*returns('a').parts, UserPromptPart('one')], instructions='1'),
        ModelRequest(parts=[UserPromptPart('two')], instructions='2'),
        ModelRequest(parts=returns('b').parts, instructions='3'),
    ]
    after = repaired(history, 'openai-chat')
    assert kinds(after)[2:] == [['tool-return', 'tool-return', 'user-prompt'], ['user-prompt'], []]
    assert [getattr(message, 'instructions', None) for message in after[2:]] == ['1', '2', '3']


def test_results_side_by_side_may_be_split():
    """Two requests that hold nothing but results are accepted, except on Vertex AI."""
    history = [
        user('go'),
        calls('a', 'b'),
        ModelRequest(parts=returns('a').parts, instructions='1'),
        ModelRequest(parts=returns('b').parts, instructions='2'),
    ]
    assert repair_history(history, dialect='openai-chat').messages is history
    assert kinds(repaired(history, 'google-vertex'))[2] == ['tool-return', 'tool-return']


def test_results_behind_the_frontier_stay():
    """While a call may still be answered, no result behind it moves."""
    history = [
        user('go'),
        calls('a', 'b'),
        ModelRequest(parts=[UserPromptPart('one')], instructions='1'),
        ModelRequest(parts=returns('a').parts, instructions='2'),
    ]
    assert repair_history(history, dialect='openai-chat', repair_last_response=False).messages is history


def test_calls_come_last():
    """Text, unsigned thinking and finished native tools stand before the calls, all in their order."""
    done = [
        NativeToolCallPart('web_search', {}, 'n', provider_name='anthropic'),
        NativeToolReturnPart('web_search', [], 'n', provider_name='anthropic'),
    ]
    response = ModelResponse(
        parts=[*calls('a').parts, TextPart('1'), *calls('b').parts, ThinkingPart('2'), *done], provider_name='anthropic'
    )
    history = [user('go'), response, returns('a', 'b')]
    assert kinds(repaired(history, 'anthropic'))[1] == [
        'text',
        'thinking',
        'builtin-tool-call',
        'builtin-tool-return',
        'tool-call',
        'tool-call',
    ]
    assert repair_history(history, dialect='openai-chat').messages is history


def test_a_native_call_in_flight_may_follow():
    """A native call without a result is still going on: Anthropic takes it behind a call."""
    flying = NativeToolCallPart('web_search', {}, 'n', provider_name='anthropic')
    history = [user('go'), ModelResponse(parts=[*calls('a').parts, flying], provider_name='anthropic'), returns('a')]
    assert repair_history(history, dialect='anthropic').messages is history


def test_signed_thinking_is_not_passed():
    """A call in front of signed thinking stays there, and that is reported; another provider's goes as text anyway."""
    signed = ThinkingPart('hm', signature='c2ln', provider_name='anthropic')
    history = [user('go'), ModelResponse(parts=[*calls('a').parts, signed]), returns('a')]
    report = repair_history(history, dialect='anthropic')
    assert report.messages is history
    assert [(finding.code, finding.location, finding.fixable) for finding in report.remaining] == [
        ('HR206', (1, 1), False)
    ]
    foreign = ThinkingPart('hm', signature='c2ln', provider_name='openai')
    assert kinds(repaired([user('go'), ModelResponse(parts=[*calls('a').parts, foreign]), returns('a')], 'anthropic'))[
        1
    ] == ['thinking', 'tool-call']


def test_signed_thinking_in_front_stays_in_front():
    """Where no signed block moves, the calls go behind the text."""
    signed = ThinkingPart('hm', signature='c2ln', provider_name='anthropic')
    response = ModelResponse(parts=[signed, *calls('a').parts, TextPart('so')])
    after = repaired([user('go'), response, returns('a')], 'anthropic')
    assert kinds(after)[1] == ['thinking', 'text', 'tool-call']
    assert after[1].parts[0] is signed


def test_a_bridge_between_tool_and_user():
    """Mistral's models speak after a tool: a short answer stands between, in the time of the call, in one request or two."""
    mixed = ModelRequest(parts=[*returns('call00001').parts, UserPromptPart('and?')], instructions='i')
    after = repaired([user('go'), calls('call00001'), mixed], 'mistral-compatible')
    assert kinds(after)[2:] == [['tool-return'], ['text'], ['user-prompt']]
    assert after[3].timestamp == after[1].timestamp
    apart = [
        user('go'),
        calls('call00001'),
        ModelRequest(parts=returns('call00001').parts, instructions='1'),
        ModelRequest(parts=[UserPromptPart('and?')], instructions='2'),
    ]
    assert kinds(repaired(apart, 'mistral-compatible'))[2:] == [['tool-return'], ['text'], ['user-prompt']]


def test_no_bridge_behind_the_frontier():
    """A response must not come behind calls that may still be answered."""
    mixed = ModelRequest(parts=[*returns('call00001').parts, UserPromptPart('and?')])
    history = [user('go'), calls('call00001', 'call00002'), mixed]
    assert repair_history(history, dialect='mistral-compatible', repair_last_response=False).messages is history


@pytest.mark.parametrize(
    ('history', 'dialect'),
    [
        ([user('go'), says(), ModelRequest(parts=[])], 'anthropic'),
        ([ModelRequest(parts=[SystemPromptPart('Be brief.')])], 'google'),
        ([ModelResponse(parts=[]), ModelRequest(parts=[])], 'openai-chat'),
        ([ModelResponse(parts=[]), ModelRequest(parts=[SystemPromptPart('s')])], 'anthropic'),
    ],
)
def test_a_turn_to_end_on(history: list[ModelMessage], dialect: str):
    """Where nothing is left to send, a period is, without a clock."""
    after = repaired(history, dialect)
    last = after[-1].parts[-1]
    assert isinstance(last, UserPromptPart)
    assert last.content == '.'
    assert repair_history(history, dialect=dialect).messages == after


@pytest.mark.parametrize(
    ('history', 'dialect'),
    [
        ([user('go'), says()], 'anthropic'),
        ([user('go'), says(), ModelRequest(parts=[])], 'openai-chat'),
        ([user('go'), says(), ModelRequest(parts=[SystemPromptPart('s')])], 'anthropic'),
        ([ModelRequest(parts=[SystemPromptPart('s')])], 'openai-chat'),
        ([user('go'), says(), ModelRequest(parts=[])], 'unknown'),
    ],
)
def test_no_turn_is_added(history: list[ModelMessage], dialect: str):
    """A stored history ends on a response, some providers go on from one, and a late system message is sent."""
    assert repair_history(history, dialect=dialect).messages is history


def test_the_user_speaks_once():
    """GLM wants a user message: it comes behind a standing system prompt, or in front of a leading response."""
    standing: list[ModelMessage] = [ModelRequest(parts=[SystemPromptPart('s')]), calls('a'), returns('a')]
    assert kinds(repaired(standing, 'glm'))[0] == ['system-prompt', 'user-prompt']
    assert kinds(repaired([calls('a'), returns('a')], 'glm')) == [['user-prompt'], ['tool-call'], ['tool-return']]
    assert [str(finding.location) for finding in check_history([calls('a'), returns('a')], dialect='glm')] == ['/0']


def test_late_system_messages_become_user_text():
    """A system message in the middle is fenced user text in its place; the standing ones stay."""
    late = ModelRequest(parts=[SystemPromptPart('Now in Rome.'), UserPromptPart('where?')])
    standing = ModelRequest(parts=[SystemPromptPart('1'), SystemPromptPart('2'), UserPromptPart('hi')])
    history = [standing, says(), late]
    after = repaired(history, 'mistral')
    assert after[0] is standing
    assert kinds(after)[2] == ['user-prompt', 'user-prompt']
    assert 'Now in Rome.' in str(getattr(after[2].parts[0], 'content', ''))
    assert repair_history(history, dialect='openai-chat').messages is history


def test_places_are_those_of_the_history_that_was_passed_in():
    """What an earlier phase moved, joined or renamed is found where it was."""
    long_id = 'functions.act:0'
    history = [
        user('go'),
        ModelResponse(parts=[ToolCallPart('act', {}, long_id), TextPart('later')]),
        user('hm'),
        says('Wait.', model_name='m'),
        ModelRequest(parts=[*returns(long_id).parts, UserPromptPart(' ')]),
    ]
    report = repair_history(history, dialect='anthropic')
    assert [(repair.code, str(repair.location)) for repair in report.repairs] == [
        ('HR301', '/1/parts/0'),
        ('HR206', '/1/parts/1'),
        ('HR205', '/4'),
        ('HR103', '/4/parts/0'),
        ('HR401', '/4/parts/1'),
    ]
