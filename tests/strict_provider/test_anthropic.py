from __future__ import annotations

from typing import Any

import pytest

from pydantic_ai_history_repair.strict_provider import check_request

from .rule_case import RuleCase, case_id

TOOLS = [{'name': 'look', 'input_schema': {'type': 'object'}}]
NATIVE: dict[str, Any] = {'type': 'server_tool_use', 'id': 'srvtoolu_1', 'name': 'web_search', 'input': {}}
NATIVE_RESULT: dict[str, Any] = {'type': 'web_search_tool_result', 'tool_use_id': 'srvtoolu_1', 'content': []}


def body(*messages: Any, **settings: Any) -> dict[str, Any]:
    return {'messages': list(messages), 'tools': TOOLS, **settings}


def user(*content: Any) -> dict[str, Any]:
    return {'role': 'user', 'content': list(content)}


def assistant(*content: Any) -> dict[str, Any]:
    return {'role': 'assistant', 'content': list(content)}


def system(text: str = 'Be brief.') -> dict[str, Any]:
    return {'role': 'system', 'content': text}


def text(value: str = 'hi', **more: Any) -> dict[str, Any]:
    return {'type': 'text', 'text': value, **more}


def call(call_id: str = 'a', **more: Any) -> dict[str, Any]:
    return {'type': 'tool_use', 'id': call_id, 'name': 'look', 'input': {}, **more}


def result(call_id: str = 'a', content: Any = 'seen') -> dict[str, Any]:
    return {'type': 'tool_result', 'tool_use_id': call_id, 'content': content}


def thinking(signature: str = 'sig') -> dict[str, Any]:
    return {'type': 'thinking', 'thinking': 'hm', 'signature': signature}


ASK = user(text())
CALLED = assistant(call())
UNANSWERED = (
    'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: {}. '
    'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
)
UNASKED = (
    'messages.{0}: unexpected `tool_use_id` found in `tool_result` blocks: a. '
    'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
)
BUDGET: dict[str, Any] = {'thinking': {'type': 'enabled', 'budget_tokens': 1024}}
MARK: dict[str, Any] = {'cache_control': {'type': 'ephemeral'}}


def case(code: str, broken: Any, pointer: str, error: str, accepted: Any, **more: Any) -> RuleCase:
    return RuleCase(api='anthropic', code=code, broken=broken, pointer=pointer, error=error, accepted=accepted, **more)


CASES = [
    case(
        'anthropic-malformed-body',
        {'messages': [{'role': 'user', 'content': 3}]},
        '/messages/0/content',
        'messages.0.content: Input should be a valid list',
        body(ASK),
    ),
    case('anthropic-malformed-body', {}, '/messages', 'messages: Field required', body(ASK)),
    case(
        'anthropic-malformed-body',
        body({'role': 'tool', 'content': 'x'}),
        '/messages/0/role',
        "messages.0.role: Input should be 'user' or 'assistant' or 'system'",
        body(ASK),
    ),
    case(
        'anthropic-malformed-body',
        body(ASK, CALLED, user(result(content=[{'type': 'text', 'text': None}]))),
        '/messages/2/content/0/content/0/text',
        'messages.2.content.0.content.0.text: Field required',
        body(ASK, CALLED, user(result(content=[text()]))),
    ),
    case('anthropic-no-messages', body(), '/messages', 'messages: at least one message is required', body(ASK)),
    case(
        'anthropic-empty-content',
        body(ASK, assistant(), ASK),
        '/messages/1',
        'messages.1: all messages must have non-empty content except for the optional final assistant message',
        body(ASK, assistant()),
    ),
    case(
        'anthropic-empty-content',
        body({'role': 'user', 'content': ''}),
        '/messages/0',
        'messages.0: all messages must have non-empty content except for the optional final assistant message',
        body({'role': 'user', 'content': 'x'}),
    ),
    case(
        'anthropic-empty-text',
        body(user(text(''))),
        '/messages/0/content/0',
        'messages: text content blocks must be non-empty',
        body(user(text('.'))),
    ),
    case(
        'anthropic-empty-text',
        body(ASK, CALLED, user(result(content=[text('')]))),
        '/messages/2/content/0/content/0/text',
        'messages: text content blocks must be non-empty',
        body(ASK, CALLED, user(result(content=''))),
    ),
    case(
        'anthropic-empty-text',
        body(ASK, system=[text('')]),
        '/system/0/text',
        'system: text content blocks must be non-empty',
        body(ASK, system=[text('Be brief.')]),
    ),
    case(
        'anthropic-whitespace-text',
        body({'role': 'user', 'content': ' \n'}),
        '/messages/0/content',
        'messages: text content blocks must contain non-whitespace text',
        body(user(text(' x \n'))),
    ),
    case(
        'anthropic-trailing-whitespace',
        body(ASK, assistant(text('so '))),
        '/messages/1/content/0',
        'messages: final assistant content cannot end with trailing whitespace',
        body(ASK, assistant(text('so ')), ASK),
    ),
    case(
        'anthropic-call-without-result',
        body(ASK, CALLED, ASK),
        '/messages/1/content/0',
        UNANSWERED.format('a'),
        body(ASK, CALLED, user(result(), text())),
    ),
    case(
        'anthropic-call-without-result',
        body(ASK, CALLED),
        '/messages/1/content/0',
        UNANSWERED.format('a'),
        body(ASK, CALLED, user(result())),
    ),
    case(
        'anthropic-call-without-result',
        body(ASK, assistant(call('a'), call('b')), user(result('a'))),
        '/messages/1/content/1',
        UNANSWERED.format('b'),
        body(ASK, assistant(call('a'), call('b')), user(result('a')), user(result('b'))),
    ),
    case(
        'anthropic-result-without-call',
        body(user(result())),
        '/messages/0/content/0',
        UNASKED.format('0.content.0'),
        body(CALLED, user(result())),
    ),
    case(
        'anthropic-result-without-call',
        body(ASK, CALLED, user(result()), assistant(text()), user(result())),
        '/messages/4/content/0',
        UNASKED.format('4.content.0'),
        body(ASK, CALLED, user(result()), assistant(call()), user(result())),
    ),
    case(
        'text-before-tool-result',
        body(ASK, CALLED, user(text(), result())),
        '/messages/2/content/0',
        UNANSWERED.format('a'),
        body(ASK, CALLED, user(result(), text())),
    ),
    case(
        'text-before-tool-result',
        body(ASK, assistant(call('a'), call('b')), user(result('a')), user(text()), user(result('b'))),
        '/messages/3/content/0',
        UNANSWERED.format('a, b'),
        body(ASK, assistant(call('a'), call('b')), user(result('b')), user(result('a')), user(text())),
    ),
    case(
        'anthropic-content-after-call',
        body(ASK, assistant(call(), text()), user(result())),
        '/messages/1/content/1',
        UNANSWERED.format('a'),
        body(ASK, assistant(text(), call()), user(result())),
    ),
    case(
        'anthropic-content-after-call',
        body(ASK, CALLED, assistant(text()), user(result())),
        '/messages/2/content/0',
        UNANSWERED.format('a'),
        body(ASK, CALLED, assistant(call('b')), user(result('a'), result('b'))),
    ),
    case(
        'anthropic-content-after-call',
        body(ASK, assistant(call(), NATIVE, NATIVE_RESULT), user(result())),
        '/messages/1/content/1',
        UNANSWERED.format('a'),
        body(ASK, assistant(call(), NATIVE), user(result())),
    ),
    case(
        'anthropic-duplicate-results',
        body(ASK, CALLED, user(result(), result())),
        '/messages/2/content/1',
        'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a',
        body(ASK, CALLED, user(result()), CALLED, user(result())),
    ),
    case(
        'duplicate-call-ids-one-response',
        body(ASK, assistant(call()), assistant(call()), user(result())),
        '/messages/2/content/0/id',
        'messages.2.content.0: `tool_use` ids must be unique',
        body(ASK, assistant(call()), user(result()), assistant(call()), user(result())),
    ),
    case(
        'anthropic-id-charset',
        body(ASK, assistant(call('a.b')), user(result('a.b'))),
        '/messages/1/content/0/id',
        "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
        body(ASK, assistant(call('A-_9')), user(result('A-_9'))),
    ),
    case(
        'anthropic-id-charset',
        body(ASK, CALLED, user(result('a'), result(''))),
        '/messages/2/content/1/tool_use_id',
        "messages.2.content.1.tool_result.tool_use_id: String should match pattern '^[a-zA-Z0-9_-]+$'",
        body(ASK, CALLED, user(result('a'))),
        also=('anthropic-result-without-call',),
    ),
    case(
        'anthropic-tool-name-pattern',
        body(ASK, assistant(call(name='look.up')), user(result())),
        '/messages/1/content/0/name',
        "messages.1.content.0.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]+$'",
        body(ASK, assistant(call(name='look_up-2')), user(result())),
    ),
    case(
        'anthropic-input-dict',
        body(ASK, assistant(call(input='{"x":')), user(result())),
        '/messages/1/content/0/input',
        'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
        body(ASK, assistant(call(input={'x': 1})), user(result())),
    ),
    case(
        'anthropic-tools-required',
        body(ASK, CALLED, user(result()), tools=[]),
        '/messages/1/content/0',
        'Requests which include `tool_use` or `tool_result` blocks must define tools.',
        {'messages': [ASK, assistant(text()), ASK]},
    ),
    case(
        'anthropic-block-role',
        body(user(call())),
        '/messages/0/content/0',
        'messages.0: `tool_use` blocks can only be in `assistant` messages',
        body(CALLED, user(result())),
    ),
    case(
        'anthropic-block-role',
        body(ASK, assistant(result()), ASK),
        '/messages/1/content/0',
        'messages.1: `tool_result` blocks can only be in `user` messages',
        body(ASK, CALLED, user(result())),
    ),
    case(
        'anthropic-no-prefill',
        body(ASK, assistant(text('So'))),
        '/messages/1',
        'This model does not support assistant message prefill. The conversation must end with a user message.',
        body(ASK, assistant(text('So')), ASK),
        model='claude-opus-4-6',
        other_family='claude-4.5',
    ),
    case(
        'anthropic-system-role',
        body(ASK, system()),
        '/messages/1',
        "role 'system' is not supported on this model",
        body(ASK, system='Be brief.'),
        model='claude-sonnet-4-5-20250929',
        other_family='claude-4.8',
    ),
    case(
        'anthropic-system-placement',
        body(system(), ASK),
        '/messages/0',
        'messages.0: `system` must follow a user turn and precede an assistant turn or end the array',
        body(ASK, system(), assistant(text()), ASK, system(), system()),
    ),
    case(
        'anthropic-system-placement',
        body(ASK, assistant(text()), system()),
        '/messages/2',
        'messages.2: `system` must follow a user turn and precede an assistant turn or end the array',
        body(ASK, assistant(NATIVE, NATIVE_RESULT), system()),
    ),
    case(
        'anthropic-system-placement',
        body(ASK, system(), ASK),
        '/messages/1',
        'messages.1: `system` must follow a user turn and precede an assistant turn or end the array',
        body({'role': 'system', 'output_config': {'effort': 'low'}, 'content': []}, ASK),
    ),
    case(
        'anthropic-invalid-signature',
        body(ASK, assistant(thinking(''), text()), ASK),
        '/messages/1/content/0',
        'messages.1.content.0: Invalid `signature` in `thinking` block',
        body(ASK, assistant(thinking(), text()), ASK),
    ),
    case(
        'anthropic-invalid-signature',
        body(ASK, assistant({'type': 'redacted_thinking'}, text()), ASK),
        '/messages/1/content/0',
        'messages.1.content.0: Invalid `data` in `redacted_thinking` block',
        body(ASK, assistant({'type': 'redacted_thinking', 'data': 'x'}, text()), ASK),
    ),
    case(
        'anthropic-must-start-with-thinking',
        body(ASK, CALLED, user(result()), **BUDGET),
        '/messages/1/content/0',
        'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` '
        'is enabled, a final `assistant` message must start with a thinking block',
        body(ASK, CALLED, user(result()), thinking={'type': 'adaptive'}),
    ),
    case(
        'anthropic-must-start-with-thinking',
        body(ASK, assistant(text(), thinking(), call()), user(result()), **BUDGET),
        '/messages/1/content/0',
        'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` '
        'is enabled, a final `assistant` message must start with a thinking block',
        body(ASK, assistant(thinking(), call()), user(result()), assistant(call()), user(result()), **BUDGET),
    ),
    case(
        'anthropic-must-start-with-thinking',
        body(CALLED, user(result()), **BUDGET),
        '/messages/0/content/0',
        'messages.0.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` '
        'is enabled, a final `assistant` message must start with a thinking block',
        body(CALLED, user(result()), assistant(text()), ASK, **BUDGET),
    ),
    case(
        'anthropic-native-call-unpaired',
        body(ASK, assistant(NATIVE, text()), ASK),
        '/messages/1/content/0',
        'messages.1.content.0: `web_search` tool use with id `srvtoolu_1` was found without a corresponding '
        '`web_search_tool_result` block',
        body(ASK, assistant(NATIVE, call()), user(result())),
    ),
    case(
        'anthropic-native-call-unpaired',
        body(ASK, assistant({**NATIVE, 'type': 'mcp_tool_use'}, call()), user(result()), assistant(text()), ASK),
        '/messages/1/content/0',
        'messages.1.content.0: `web_search` tool use with id `srvtoolu_1` was found without a corresponding '
        '`mcp_tool_result` block',
        body(ASK, assistant(NATIVE, call()), user(result()), assistant(NATIVE_RESULT, text()), ASK),
    ),
    case(
        'anthropic-native-call-unpaired',
        body(ASK, assistant(NATIVE, call()), user(result()), assistant(call('b')), user(result('b'))),
        '/messages/1/content/0',
        'messages.1.content.0: `web_search` tool use with id `srvtoolu_1` was found without a corresponding '
        '`web_search_tool_result` block',
        body(
            ASK,
            assistant(NATIVE, call()),
            user(result()),
            assistant(call('b', caller={'type': 'code_execution_20250825', 'tool_id': 'srvtoolu_1'})),
            user(result('b')),
        ),
    ),
    case(
        'anthropic-native-result-unpaired',
        body(ASK, assistant(NATIVE_RESULT, NATIVE, NATIVE_RESULT, text()), ASK),
        '/messages/1/content/0',
        'messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1. '
        'Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.',
        body(ASK, assistant(NATIVE, NATIVE_RESULT, text()), ASK),
    ),
    case(
        'anthropic-native-result-unpaired',
        body(ASK, assistant({**NATIVE_RESULT, 'type': 'mcp_tool_result'}, text()), ASK),
        '/messages/1/content/0',
        'messages.1.content.0: unexpected `tool_use_id` found in `mcp_tool_result` blocks: srvtoolu_1. '
        'Each `mcp_tool_result` block must have a corresponding `mcp_tool_use` block before it.',
        body(ASK, assistant(text()), ASK),
    ),
    case(
        'cache-control-max-four',
        body(
            user(text(**MARK), text(**MARK)),
            assistant(call(**MARK)),
            user(result(content=[text(**MARK)])),
            system=[text(**MARK)],
        ),
        '/messages/2/content/0/content/0',
        'A maximum of 4 blocks with cache_control may be provided. Found 5.',
        body(user(text(**MARK), text(**MARK), text(**MARK)), system=[text(**MARK)], **MARK),
    ),
    case(
        'minimax-trailing-text-in-result-turn',
        body(ASK, CALLED, user(result(), text())),
        '/messages/2/content/1',
        'invalid params, tool call result does not follow tool call (2013)',
        body(ASK, CALLED, user(result()), user(text())),
        model='MiniMax-M2',
        other_family='claude-4.6',
    ),
    case(
        'minimax-result-not-following',
        body(ASK, CALLED, ASK),
        '/messages/1/content/0',
        'invalid params, tool call result does not follow tool call (2013)',
        body(ASK, CALLED, user(result())),
        model='MiniMax-M2',
        other_family='claude-4.6',
    ),
    case(
        'minimax-tool-id-not-found',
        body(user(result())),
        '/messages/0/content/0',
        "invalid params, tool result's tool id(a) not found (2013)",
        body(ASK, CALLED, user(result())),
        model='MiniMax-M2',
        other_family='claude-4.6',
    ),
]


@pytest.mark.parametrize('case', CASES, ids=case_id)
def test_rule(case: RuleCase) -> None:
    """The broken body breaks its rule at the place, in the provider's words, and its neighbour breaks none."""
    case.check()


def test_earlier_turns_do_not_count_after_compaction() -> None:
    """What precedes the last compaction block is dropped by the API, so it is not judged."""
    compacted = assistant({'type': 'compaction', 'content': 'summary'}, text())
    assert check_request('anthropic', body(ASK, CALLED, ASK, compacted, ASK)) == []
    assert [v.code for v in check_request('anthropic', body(compacted, ASK, CALLED, ASK))] == [
        'anthropic-call-without-result'
    ]


def test_paused_server_tool_turn_may_be_last() -> None:
    """A turn paused inside a server tool is sent back as it is, which is no prefill."""
    paused = body(ASK, assistant(text(), NATIVE, NATIVE_RESULT))
    assert check_request('anthropic', paused, family='claude-4.6') == []
