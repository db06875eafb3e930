from __future__ import annotations

from typing import Any

import pytest

from pydantic_ai_history_repair.strict_provider import check_request

from .rule_case import RuleCase, case_id


def body(*messages: Any, model: str = 'gpt-5', **settings: Any) -> dict[str, Any]:
    return {'model': model, 'messages': list(messages), **settings}


def user(content: Any = 'hi') -> dict[str, Any]:
    return {'role': 'user', 'content': content}


def system() -> dict[str, Any]:
    return {'role': 'system', 'content': 'Be brief.'}


def assistant(content: Any = 'hello', **more: Any) -> dict[str, Any]:
    return {'role': 'assistant', 'content': content, **more}


def call(call_id: str = 'a', name: str = 'look', arguments: Any = '{}') -> dict[str, Any]:
    return {'id': call_id, 'type': 'function', 'function': {'name': name, 'arguments': arguments}}


def calling(*calls: Any, **more: Any) -> dict[str, Any]:
    return {'role': 'assistant', 'content': None, 'tool_calls': list(calls or [call()]), **more}


def tool(call_id: str = 'a', content: Any = 'seen') -> dict[str, Any]:
    return {'role': 'tool', 'tool_call_id': call_id, 'content': content}


IMAGE = {'type': 'image_url', 'image_url': {'url': 'https://example.com/a.png'}}
AUDIO = {'type': 'input_audio', 'input_audio': {'data': 'AAAA', 'format': 'wav'}}
DONE = body(user(), calling(), tool())
THINKING = {'thinking': {'type': 'enabled'}}
UNANSWERED = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
    'The following tool_call_ids did not have response messages: '
)
UNASKED = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
NULL = "Invalid value for 'content': expected a string, got null."


def case(code: str, broken: Any, pointer: str, error: str, accepted: Any = DONE, **more: Any) -> RuleCase:
    return RuleCase(
        api='openai-chat', code=code, broken=broken, pointer=pointer, error=error, accepted=accepted, **more
    )


CASES = [
    case('chat-malformed-body', {}, '/messages', "Missing required parameter: 'messages'."),
    case(
        'chat-malformed-body',
        body({'role': 3, 'content': 'x'}),
        '/messages/0/role',
        "Invalid type for 'messages[0].role': expected a string, but got a number instead.",
    ),
    case(
        'chat-malformed-body',
        body(user([{'text': 'untyped'}])),
        '/messages/0/content/0/type',
        "Missing required parameter: 'messages[0].content[0].type'.",
        body(user([{'type': 'text', 'text': 'typed'}])),
    ),
    case(
        'chat-malformed-body',
        body(user(), calling({'id': 'a', 'type': 'custom', 'custom': {}}), tool()),
        '/messages/1/tool_calls/0/custom/name',
        "Missing required parameter: 'messages[1].tool_calls[0].custom.name'.",
        body(user(), calling({'id': 'a', 'type': 'custom', 'custom': {'name': 'look', 'input': 'x'}}), tool()),
    ),
    case(
        'chat-no-messages',
        body(),
        '/messages',
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    ),
    case(
        'chat-call-without-result',
        body(user(), calling(), user()),
        '/messages/1/tool_calls/0',
        f'{UNANSWERED}a',
    ),
    case(
        'chat-call-without-result',
        body(user(), calling(call('a'), call('b')), tool('a'), user(), model='some-vendor/some-model'),
        '/messages/1/tool_calls/1',
        f'{UNANSWERED}b',
        body(user(), calling(call('a'), call('b')), tool('b'), tool('a'), user()),
    ),
    case(
        'chat-call-without-result',
        body(user(), calling(), calling(call('b')), tool('a'), tool('b')),
        '/messages/1/tool_calls/0',
        f'{UNANSWERED}a',
        body(user(), calling(), tool(), calling(call('b')), tool('b')),
        also=('chat-result-without-call',),
    ),
    case(
        'chat-call-without-result',
        body(user(), calling(), system(), tool()),
        '/messages/1/tool_calls/0',
        f'{UNANSWERED}a',
        body(user(), calling(), tool(), system()),
        also=('chat-result-without-call',),
    ),
    case('chat-result-without-call', body(tool(), user()), '/messages/0', UNASKED, body(user())),
    case(
        'chat-result-without-call',
        body(user(), calling(), tool(), tool('b')),
        '/messages/3',
        "Invalid parameter: 'tool_call_id' of 'b' not found in 'tool_calls' of previous message.",
    ),
    case(
        'openai-duplicate-tool-message',
        body(user(), calling(), tool(), tool()),
        '/messages/3',
        "Invalid parameter: Duplicate value for 'tool_call_id' of 'a', in messages[2] and messages[3].",
        body(user(), calling(), tool(), calling(), tool()),
        other_family='other',
    ),
    case('chat-null-content', body(user(), assistant(None)), '/messages/1/content', NULL),
    case(
        'chat-null-content',
        body(user(), {'role': 'assistant', 'refusal': ''}, user()),
        '/messages/1/content',
        NULL,
        body(user(), {'role': 'assistant', 'refusal': 'No.'}, user()),
    ),
    case('chat-null-content', body(user(), calling(), tool(content=None)), '/messages/2/content', NULL),
    case(
        'openai-call-id-length',
        body(user(), calling(call('x' * 65)), tool('x' * 65)),
        '/messages/1/tool_calls/0/id',
        "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 64, "
        'but got a string with length 65 instead.',
        body(user(), calling(call('x' * 64)), tool('x' * 64)),
        other_family='other',
    ),
    case(
        'openai-tool-name-pattern',
        body(user(), calling(call(name='look.up')), tool()),
        '/messages/1/tool_calls/0/function/name',
        "Invalid 'messages[1].tool_calls[0].function.name': string does not match pattern. "
        "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        body(user(), calling(call(name='look_up-2')), tool()),
        other_family='other',
    ),
    case(
        'openai-image-in-tool-message',
        body(user(), calling(), tool(content=[IMAGE])),
        '/messages/2/content/0',
        "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', "
        "but this message with role 'tool' contains an image URL.",
        body(user(), calling(), tool(), user([IMAGE])),
        other_family='other',
    ),
    case(
        'openai-audio-in-user-message',
        body(user([{'type': 'text', 'text': 'Listen.'}, AUDIO])),
        '/messages/0/content/1',
        "Invalid 'messages[0]'. Content blocks are expected to be either text or image_url type.",
        body(user([AUDIO]), model='gpt-4o-audio-preview'),
        other_family='other',
    ),
    case(
        'foreign-native-tool-blocks',
        body(user(), assistant([{'type': 'web_search_tool_result', 'tool_use_id': 'x', 'content': []}]), user()),
        '/messages/1/content/0',
        "Invalid value: 'web_search_tool_result'. "
        "Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.",
        body(user(), assistant([{'type': 'text', 'text': 'Found.'}]), user()),
        other_family='other',
    ),
    case(
        'chat-reasoning-id-as-field',
        body(user(), assistant(rs_1='hm'), user()),
        '/messages/1/rs_1',
        "Unknown parameter: 'messages[1].rs_1'.",
        body(user(), assistant(), user()),
        other_family='other',
    ),
    case(
        'deepseek-insufficient-tool-messages',
        body(user(), calling(), system(), tool(), model='deepseek-chat'),
        '/messages/1/tool_calls/0',
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
        '(insufficient tool messages following tool_calls message)',
        body(user(), calling(), tool(), system(), model='deepseek-chat'),
        also=('chat-result-without-call',),
        other_family='other',
    ),
    case(
        'deepseek-reasoning-content-required',
        body(user(), calling(), tool(), model='deepseek-v4-flash', **THINKING),
        '/messages/1',
        'The `reasoning_content` in the thinking mode must be passed back to the API.',
        body(user(), calling(reasoning_content=''), tool(), model='deepseek-v4-flash', **THINKING),
        other_family='other',
    ),
    case(
        'deepseek-reasoning-content-required',
        body(user(), calling(), tool(), model='deepseek-reasoner'),
        '/messages/1',
        'The `reasoning_content` in the thinking mode must be passed back to the API.',
        body(user(), calling(), tool(), assistant(), user(), model='deepseek-reasoner'),
    ),
    case(
        'kimi-reasoning-content-required',
        body(user(), calling(), tool(), assistant(), user(), model='kimi-k2.5', **THINKING),
        '/messages/1',
        'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
        body(user(), calling(), tool(), model='kimi-k2.5'),
        other_family='other',
    ),
    case(
        'kimi-tool-call-id-not-found',
        body(user(), tool(), model='kimi-k2'),
        '/messages/1',
        'Invalid request: tool_call_id  is not found',
        other_family='other',
    ),
    case(
        'glm-1214',
        body(system(), calling(), tool(), model='glm-4.7'),
        '/messages',
        'The messages parameter is illegal. Please check the documentation.',
        body(system(), user(), calling(), tool(), model='glm-4.7'),
        other_family='other',
    ),
    case(
        'groq-assistant-empty',
        body(user(), {'role': 'assistant'}, user()),
        '/messages/1/content',
        "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1.content' : is missing)]",
        body(user(), {'role': 'assistant', 'tool_calls': [call()]}, tool()),
        family='groq',
        other_family='other',
    ),
    case(
        'groq-unknown-reasoning-field',
        body(user(), assistant(reasoning_content='hm'), user()),
        '/messages/1/reasoning_content',
        "'messages.1' : for 'role:assistant' the following must be satisfied"
        "[('messages.1' : property 'reasoning_content' is unsupported)]",
        body(user(), assistant(), user()),
        family='groq',
        other_family='other',
    ),
    case(
        'minimax-result-not-following',
        body(user(), calling(), user(), model='MiniMax-M2'),
        '/messages/1/tool_calls/0',
        'invalid params, tool call result does not follow tool call (2013)',
        other_family='other',
    ),
    case(
        'minimax-tool-id-not-found',
        body(user(), tool(), model='MiniMax-M2'),
        '/messages/1',
        "invalid params, tool result's tool id(a) not found (2013)",
        other_family='other',
    ),
    case(
        'duplicate-call-ids-across-turns',
        body(user(), calling(), tool(), calling(), tool(), model='MiniMax-M2'),
        '/messages/3/tool_calls/0/id',
        'invalid params, tool call result does not follow tool call (2013)',
        body(user(), calling(), tool(), calling(call('b')), tool('b'), model='MiniMax-M2'),
        other_family='openai',
    ),
    case(
        'minimax-id-invalid',
        body(user(), calling(call('')), tool(''), model='MiniMax-M2'),
        '/messages/1/tool_calls/0/id',
        'invalid params, tool call id is invalid (2013)',
        other_family='other',
    ),
    case(
        'minimax-args-json',
        body(user(), calling(call(arguments='{"x":')), tool(), model='MiniMax-M2'),
        '/messages/1/tool_calls/0/function/arguments',
        'invalid params, invalid function arguments json string, tool_call_id: a (2013)',
        body(user(), calling(call(arguments='{"x": 1}')), tool(), model='MiniMax-M2'),
        other_family='other',
    ),
    case(
        'qwen-args-json',
        body(user(), assistant('', tool_calls=[call(arguments=None)]), tool(), model='qwen3-max'),
        '/messages/1/tool_calls/0/function/arguments',
        'InternalError.Algo.InvalidParameter: '
        'The "function.arguments" parameter of the code model must be in JSON format.',
        body(user(), assistant('', tool_calls=[call()]), tool(), model='qwen3-max'),
        other_family='other',
    ),
    case(
        'qwen-content-required',
        body(user(), calling(), tool(), model='qwen-plus'),
        '/messages/1/content',
        '<400> InternalError.Algo.InvalidParameter: The content field is a required field.',
        body(user(), assistant('', tool_calls=[call()]), tool(), model='qwen-plus'),
        other_family='openai',
    ),
    case(
        'xai-empty-content',
        body(user(), assistant([]), user(), model='grok-4'),
        '/messages/1/content',
        'Each message must have at least one content element',
        body(user(), calling(), tool(), model='grok-4'),
        other_family='other',
    ),
    case(
        'xai-empty-content',
        body(user(), assistant(None), user(), model='grok-4'),
        '/messages/1/content',
        'Each message must have at least one content element',
    ),
    case(
        'template-roles-alternate',
        body(system(), user(), user()),
        '/messages/2',
        'Conversation roles must alternate user/assistant/user/assistant/...',
        body(system(), user(), calling(), tool(), assistant(), user()),
        family='alternating-template',
        other_family='other',
    ),
    case(
        'template-roles-alternate',
        body(system(), system(), user()),
        '/messages/1',
        'Conversation roles must alternate user/assistant/user/assistant/...',
        body(user(), assistant(), user()),
        family='alternating-template',
    ),
    case(
        'system-only-at-beginning',
        body(user(), assistant(), system(), user()),
        '/messages/2',
        'System message must be at the beginning.',
        body(system(), user()),
        family='qwen-template',
        other_family='other',
    ),
    case(
        'mistral-user-after-tool',
        body(user(), calling(call('a23456789')), tool('a23456789'), user(), model='mistral-large-latest'),
        '/messages/3',
        "Unexpected role 'user' after role 'tool'",
        body(user(), calling(call('a23456789')), tool('a23456789'), model='mistral-large-latest'),
        other_family='other',
    ),
]


@pytest.mark.parametrize('case', CASES, ids=case_id)
def test_rule(case: RuleCase) -> None:
    """The broken body breaks its rule at the place, in the provider's words, and its neighbour breaks none."""
    case.check()


def test_vendor_reasoning_stands_for_content() -> None:
    """A message that holds only a vendor's reasoning field is not called empty."""
    thought = body(user(), {'role': 'assistant', 'reasoning_content': 'hm'}, user(), model='vendor/model')
    assert check_request('openai-chat', thought) == []


def test_model_names_that_several_hosts_use_get_general_rules_only() -> None:
    """A Qwen, Llama or GPT-OSS model may be served anywhere, so no host's own rule is enforced on its name."""
    late_system = [user(), assistant(), system(), user()]
    twice = [user(), calling(), tool(), tool()]
    for model in ('qwen/qwen3-32b', 'qwen-3-coder-480b', 'meta-llama/llama-4-scout', 'gpt-oss:20b', 'mistral-small'):
        assert check_request('openai-chat', body(*late_system, model=model)) == []
        assert check_request('openai-chat', body(*twice, model=model)) == []
