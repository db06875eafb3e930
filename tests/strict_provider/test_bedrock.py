from __future__ import annotations

from typing import Any

import pytest

from pydantic_ai_history_repair.strict_provider import check_request

from .rule_case import RuleCase, case_id

TOOLS: dict[str, Any] = {'toolConfig': {'tools': [{'toolSpec': {'name': 'look', 'inputSchema': {'json': {}}}}]}}
CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'


def body(*messages: Any, **fields: Any) -> dict[str, Any]:
    return {'messages': list(messages), **TOOLS, **fields}


def user(*content: Any) -> dict[str, Any]:
    return {'role': 'user', 'content': list(content)}


def assistant(*content: Any) -> dict[str, Any]:
    return {'role': 'assistant', 'content': list(content)}


def text(value: str = 'hi') -> dict[str, Any]:
    return {'text': value}


def call(call_id: str = 'a', **more: Any) -> dict[str, Any]:
    return {'toolUse': {'toolUseId': call_id, 'name': 'look', 'input': {}, **more}}


def result(call_id: str = 'a', content: Any = None) -> dict[str, Any]:
    return {'toolResult': {'toolUseId': call_id, 'content': [text('seen')] if content is None else content}}


def thinking(**more: Any) -> dict[str, Any]:
    return {'reasoningContent': {'reasoningText': {'text': 'hm', **more}}}


ASK, CALLED, ANSWER = user(text()), assistant(call()), user(result())
DONE = body(ASK, CALLED, ANSWER)
DOCUMENT: dict[str, Any] = {'document': {'name': 'd', 'format': 'pdf', 'source': {'bytes': ''}}}
VIDEO: dict[str, Any] = {'video': {'format': 'mp4', 'source': {'bytes': ''}}}
CACHE: dict[str, Any] = {'cachePoint': {'type': 'default'}}
BUDGET: dict[str, Any] = {'additionalModelRequestFields': {'thinking': {'type': 'enabled', 'budget_tokens': 1024}}}
EXCEEDS = (
    'The number of toolResult blocks at messages.{}.content exceeds the number of toolUse blocks of previous turn.'
)
FROM_MODEL = 'The model returned the following errors: '


def case(code: str, broken: Any, pointer: str, error: str, accepted: Any = DONE, **more: Any) -> RuleCase:
    return RuleCase(api='bedrock', code=code, broken=broken, pointer=pointer, error=error, accepted=accepted, **more)


def claude_case(code: str, broken: Any, pointer: str, error: str, accepted: Any = DONE, **more: Any) -> RuleCase:
    settings = {'model': CLAUDE, 'other_family': 'nova', **more}
    return case(code, broken, pointer, FROM_MODEL + error, accepted, **settings)


CASES = [
    case(
        'bedrock-malformed-body',
        {},
        '/messages',
        "Value at 'messages' failed to satisfy constraint: expected array, got nothing",
    ),
    case(
        'bedrock-malformed-body',
        body({'role': 'system', 'content': [text()]}),
        '/messages/0/role',
        "Value at 'messages.0.role' failed to satisfy constraint: expected 'user' or 'assistant', got unknown",
    ),
    case(
        'bedrock-malformed-body',
        body(ASK, CALLED, user({'toolResult': {'toolUseId': 'a', 'content': 'seen'}})),
        '/messages/2/content/0/toolResult/content',
        "Value at 'messages.2.content.0.toolResult.content' failed to satisfy constraint: expected array, got string",
    ),
    case(
        'bedrock-malformed-body',
        body(user({'text': None})),
        '/messages/0/content/0/text',
        "Value at 'messages.0.content.0.text' failed to satisfy constraint: expected string, got nothing",
    ),
    case(
        'bedrock-expected-toolresult',
        body(ASK, CALLED, ASK),
        '/messages/1/content/0',
        'Expected toolResult blocks at messages.2.content for the following Ids: a',
    ),
    case(
        'bedrock-expected-toolresult',
        body(ASK, assistant(call('a'), call('b')), user(result('a'))),
        '/messages/1/content/1',
        'Expected toolResult blocks at messages.2.content for the following Ids: b',
        body(ASK, assistant(call('a'), call('b')), user(result('a')), user(result('b'))),
    ),
    case(
        'bedrock-expected-toolresult',
        body(ASK, CALLED),
        '/messages/1/content/0',
        'Expected toolResult blocks at messages.2.content for the following Ids: a',
        body(ASK, assistant(call(type='server_tool_use'), result(), call('b')), user(result('b'))),
    ),
    case('bedrock-result-exceeds-calls', body(ANSWER), '/messages/0/content/0', EXCEEDS.format(0)),
    case(
        'bedrock-result-exceeds-calls',
        body(ASK, CALLED, user(result(), result())),
        '/messages/2/content/1',
        EXCEEDS.format(2),
        body(ASK, CALLED, ANSWER, CALLED, ANSWER),
    ),
    case(
        'bedrock-result-exceeds-calls',
        body(ASK, CALLED, ANSWER, assistant(text()), ANSWER),
        '/messages/4/content/0',
        EXCEEDS.format(4),
    ),
    case(
        'bedrock-claude-did-not-find-results',
        body(ASK, CALLED, user(text(), result())),
        '/messages/2/content/0',
        'messages.2: Did not find 1 `tool_result` block(s) at the beginning of this message. '
        'Messages following `tool_use` blocks must begin with a matching number of `tool_result` blocks.',
        body(ASK, CALLED, user(result(), text())),
        model=CLAUDE,
        other_family='nova',
    ),
    case(
        'bedrock-tooluseid-pattern',
        body(ASK, assistant(call('a|b')), user(result('a|b'))),
        '/messages/1/content/0/toolUse/toolUseId',
        "Value at 'messages.2.member.content.1.member.toolUse.toolUseId' failed to satisfy constraint: "
        'Member must satisfy regular expression pattern: [a-zA-Z0-9_.:-]+',
        body(ASK, assistant(call('functions.a:0')), user(result('functions.a:0'))),
    ),
    claude_case(
        'anthropic-id-charset',
        body(ASK, assistant(call('a.b')), user(result('a.b'))),
        '/messages/1/content/0/toolUse/toolUseId',
        "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ),
    case(
        'bedrock-tool-name-pattern',
        body(ASK, assistant(call(name='look.up')), ANSWER),
        '/messages/1/content/0/toolUse/name',
        "Value at 'messages.2.member.content.1.member.toolUse.name' failed to satisfy constraint: "
        'Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+',
        body(ASK, assistant(call(name='l' * 64)), ANSWER),
    ),
    case(
        'bedrock-blank-text',
        body(user(text(''))),
        '/messages/0/content/0',
        'The text field in the ContentBlock object at messages.0.content.0 is blank. '
        'Add text to the text field, and try again.',
        body(user(text('\n'))),
    ),
    case(
        'bedrock-blank-text',
        body(ASK, CALLED, user(result(content=[text('')]))),
        '/messages/2/content/0/toolResult/content/0',
        'The text field in the ContentBlock object at messages.2.content.0.toolResult.content.0 is blank. '
        'Add text to the text field, and try again.',
    ),
    case(
        'bedrock-empty-content',
        body(ASK, assistant(), ASK),
        '/messages/1',
        'The content field in the Message object at messages.1 is empty. '
        'Add a ContentBlock object to the content field and try again.',
    ),
    case(
        'bedrock-document-needs-text',
        body(user(DOCUMENT)),
        '/messages/0/content/0',
        'A text block must be included when using documents.',
        body(user(DOCUMENT, text())),
    ),
    case(
        'bedrock-json-result-object',
        body(ASK, CALLED, user(result(content=[{'json': [1]}]))),
        '/messages/2/content/0/toolResult/content/0/json',
        'The format of the value at messages.2.content.0.toolResult.content.0.json is invalid. '
        'Provide a json object for the field and try again.',
        body(ASK, CALLED, user(result(content=[{'json': {'x': [1]}}]))),
    ),
    case(
        'bedrock-start-with-user',
        body(assistant(text()), ASK),
        '/messages/0',
        'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
        model='us.amazon.nova-lite-v1:0',
        other_family='claude-4.5',
    ),
    case(
        'bedrock-toolconfig-required',
        {'messages': [ASK, CALLED, ANSWER]},
        '/messages/1/content/0',
        'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
        {'messages': [ASK]},
    ),
    case(
        'bedrock-toolresult-colocation',
        body(ASK, CALLED, ANSWER, ASK),
        '/messages/3/content/0',
        'messages.3.content: Conversation blocks and tool result blocks cannot be provided in the same turn.',
        body(ASK, CALLED, user(result(), CACHE), assistant(text('.')), ASK),
        model='us.meta.llama4-maverick-17b-instruct-v1:0',
        other_family='claude-4.5',
    ),
    case(
        'bedrock-unsupported-media',
        body(user(text(), VIDEO)),
        '/messages/0/content/1',
        "This model doesn't support the video content block that you provided. Update the content block and try again.",
        model=CLAUDE,
        other_family='nova',
    ),
    case(
        'bedrock-unsupported-media',
        body(ASK, CALLED, user(result(content=[VIDEO]))),
        '/messages/2/content/0',
        "This model doesn't support the video content block that you provided. Update the content block and try again.",
        model=CLAUDE,
    ),
    case(
        'foreign-native-tool-blocks',
        body(ASK, assistant({'type': 'web_search_tool_result', 'tool_use_id': 'x', 'content': []}, text()), ASK),
        '/messages/1/content/0',
        'Malformed input request: #/messages/1/content/0: extraneous key [type] is not permitted',
        body(ASK, assistant({'type': 'something_new'}, text()), ASK),
    ),
    claude_case(
        'anthropic-input-dict',
        body(ASK, assistant(call(input=[1])), ANSWER),
        '/messages/1/content/0/toolUse/input',
        'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
    ),
    claude_case(
        'duplicate-call-ids-one-response',
        body(ASK, assistant(call(), call()), ANSWER),
        '/messages/1/content/1/toolUse/toolUseId',
        'messages.1.content.1: `tool_use` ids must be unique',
    ),
    claude_case(
        'anthropic-content-after-call',
        body(ASK, assistant(call(), text()), ANSWER),
        '/messages/1/content/1',
        'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a. '
        'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
        body(ASK, assistant(text(), call(), CACHE), ANSWER),
    ),
    claude_case(
        'anthropic-invalid-signature',
        body(ASK, assistant(thinking(), text()), ASK),
        '/messages/1/content/0/reasoningContent/reasoningText',
        'messages.1.content.0: Invalid `signature` in `thinking` block',
        body(ASK, assistant(thinking(signature='s'), {'reasoningContent': {'redactedContent': 'x'}}, text()), ASK),
    ),
    claude_case(
        'anthropic-must-start-with-thinking',
        body(ASK, CALLED, ANSWER, **BUDGET),
        '/messages/1/content/0',
        'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. '
        'When `thinking` is enabled, a final `assistant` message must start with a thinking block',
        body(ASK, CALLED, ANSWER, assistant(text()), ASK, assistant(thinking(signature='s'), call()), ANSWER, **BUDGET),
    ),
    claude_case(
        'anthropic-trailing-whitespace',
        body(ASK, assistant(text('so '))),
        '/messages/1/content/0',
        'messages: final assistant content cannot end with trailing whitespace',
        body(ASK, assistant(text('so'))),
    ),
    claude_case(
        'anthropic-no-prefill',
        body(ASK, assistant(text('so'))),
        '/messages/1',
        'This model does not support assistant message prefill. The conversation must end with a user message.',
        body(ASK, assistant(text('so')), ASK),
        model='us.anthropic.claude-sonnet-4-6',
        other_family='claude-4.5',
    ),
    claude_case(
        'cache-control-max-four',
        body(user(text(), CACHE, text(), CACHE, text(), CACHE, text(), CACHE), system=[text(), CACHE]),
        '/messages/0/content/7',
        'A maximum of 4 blocks with cache_control may be provided. Found 5.',
        body(user(text(), CACHE, text(), CACHE, text(), CACHE), system=[text(), CACHE]),
    ),
]


@pytest.mark.parametrize('case', CASES, ids=case_id)
def test_rule(case: RuleCase) -> None:
    """The broken body breaks its rule at the place, in the provider's words, and its neighbour breaks none."""
    case.check()


def test_leading_assistant_turn_passes_where_families_are_unknown() -> None:
    """Claude and Qwen take a history that the assistant starts, so an unknown family is not refused it."""
    for model in (CLAUDE, 'qwen.qwen3-32b-v1:0', 'some.model', None):
        assert check_request('bedrock', body(assistant(text()), ASK), model=model) == []


def test_cache_points_outside_messages_count() -> None:
    """Markers between tools and in the system prompt count, and point at the messages where none holds one."""
    marked = body(ASK, system=[CACHE] * 3, toolConfig={'tools': [CACHE] * 2})
    assert [(v.code, v.pointer) for v in check_request('bedrock', marked, family='claude-4.5')] == [
        ('cache-control-max-four', '/messages')
    ]
