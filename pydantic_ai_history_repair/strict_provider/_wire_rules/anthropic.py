"""What Anthropic Messages demands."""

from __future__ import annotations

from dataclasses import replace

from ._wire_rule import WireRule

_TOOL_USE_GUIDE = 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls'
_MESSAGES_REFERENCE = 'https://platform.claude.com/docs/en/api/messages'
_THINKING_GUIDE = 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking'

MALFORMED_BODY = WireRule(
    code='anthropic-malformed-body',
    summary='Every value has the type the API reference gives it.',
    provider_error='{place}: {problem}',
    source=_MESSAGES_REFERENCE,
)
NO_MESSAGES = WireRule(
    code='anthropic-no-messages',
    summary='There is at least one message.',
    provider_error='messages: at least one message is required',
    source=_MESSAGES_REFERENCE,
)
EMPTY_CONTENT = WireRule(
    code='anthropic-empty-content',
    summary='Every message has content; a final assistant message may do without.',
    provider_error='messages.{n}: all messages must have non-empty content except for the optional final assistant message',
    source='https://github.com/anthropics/claude-code/issues/6774',
)
EMPTY_TEXT = WireRule(
    code='anthropic-empty-text',
    summary='No text block is empty: in `system`, in a message or inside a `tool_result`.',
    provider_error='{root}: text content blocks must be non-empty',
    source='https://github.com/block/buzz/pull/559',
)
WHITESPACE_TEXT = WireRule(
    code='anthropic-whitespace-text',
    summary='A text block of a message holds more than whitespace.',
    provider_error='messages: text content blocks must contain non-whitespace text',
    source='https://github.com/anthropics/claude-code/issues/23440',
)
TRAILING_WHITESPACE = WireRule(
    code='anthropic-trailing-whitespace',
    summary='A conversation that ends on assistant text does not end in whitespace.',
    provider_error='messages: final assistant content cannot end with trailing whitespace',
    source='https://github.com/langchain-ai/langchain/pull/35073',
)
CALL_WITHOUT_RESULT = WireRule(
    code='anthropic-call-without-result',
    summary='Every `tool_use` is answered by a `tool_result` in the very next user turn.',
    provider_error=(
        'messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after: {ids}. '
        'Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
    ),
    source='https://github.com/anthropics/claude-code/issues/2697',
)
TEXT_BEFORE_RESULT = replace(
    CALL_WITHOUT_RESULT,
    code='text-before-tool-result',
    summary='In the turn that answers calls nothing precedes a `tool_result`.',
    source=_TOOL_USE_GUIDE,
)
CONTENT_AFTER_CALL = replace(
    CALL_WITHOUT_RESULT,
    code='anthropic-content-after-call',
    summary='In an assistant turn no text, thinking or finished server tool follows a `tool_use`.',
    source='https://github.com/BerriAI/litellm/issues/24361',
)
RESULT_WITHOUT_CALL = WireRule(
    code='anthropic-result-without-call',
    summary='A `tool_result` answers a `tool_use` of the turn directly before it.',
    provider_error=(
        '{place}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. '
        'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'
    ),
    source='https://github.com/continuedev/continue/issues/4751',
)
DUPLICATE_RESULTS = WireRule(
    code='anthropic-duplicate-results',
    summary='A `tool_use` has one `tool_result`.',
    provider_error=(
        '{place}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}'
    ),
    source='https://github.com/Kilo-Org/kilocode/pull/3772',
)
DUPLICATE_CALL_IDS = WireRule(
    code='duplicate-call-ids-one-response',
    summary='The `tool_use` ids of one assistant turn differ.',
    provider_error='{place}: `tool_use` ids must be unique',
    source='https://github.com/anthropics/claude-code/issues/21317',
)
ID_CHARSET = WireRule(
    code='anthropic-id-charset',
    summary='Tool ids consist of letters, digits, `_` and `-` and are not empty.',
    provider_error="{place}: String should match pattern '^[a-zA-Z0-9_-]+$'",
    source='https://github.com/anomalyco/opencode/issues/1279',
)
TOOL_NAME = WireRule(
    code='anthropic-tool-name-pattern',
    summary='The tool name of a `tool_use` consists of letters, digits, `_` and `-` and is not empty.',
    provider_error="{place}: String should match pattern '^[a-zA-Z0-9_-]+$'",
    source=_MESSAGES_REFERENCE,
)
INPUT_DICT = WireRule(
    code='anthropic-input-dict',
    summary='The `input` of a `tool_use` is an object.',
    provider_error='{place}: Input should be a valid dictionary',
    source='https://github.com/anthropics/claude-code/issues/6695',
)
TOOLS_REQUIRED = WireRule(
    code='anthropic-tools-required',
    summary='A request with tool blocks defines tools.',
    provider_error='Requests which include `tool_use` or `tool_result` blocks must define tools.',
    source='https://portkey.ai/error-library/tool-definition-error-10488',
)
BLOCK_ROLE = WireRule(
    code='anthropic-block-role',
    summary='`tool_use` stands in assistant messages, `tool_result` in user messages.',
    provider_error='messages.{n}: `{kind}` blocks can only be in `{role}` messages',
    source=_TOOL_USE_GUIDE,
)
NO_PREFILL = WireRule(
    code='anthropic-no-prefill',
    summary='The conversation does not end on an assistant turn.',
    provider_error=(
        'This model does not support assistant message prefill. The conversation must end with a user message.'
    ),
    source='https://github.com/strands-agents/sdk-python/issues/1694',
    families=('claude-4.6', 'claude-4.8'),
)
SYSTEM_ROLE = WireRule(
    code='anthropic-system-role',
    summary='`messages` holds no `system` entry.',
    provider_error="role 'system' is not supported on this model",
    source='https://docs.rs/gproxy-transform/2.6.1/src/gproxy_transform/transform/common/claude_mid_conv_system.rs.html',
    families=('claude-4.5', 'claude-4.6'),
)
SYSTEM_PLACEMENT = WireRule(
    code='anthropic-system-placement',
    summary='A `system` entry follows a user turn (or a server tool result) and precedes an assistant turn or the end.',
    provider_error='messages.{n}: `system` must follow a user turn and precede an assistant turn or end the array',
    source='https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages',
    literal=False,
)
INVALID_SIGNATURE = WireRule(
    code='anthropic-invalid-signature',
    summary='A `thinking` block has its signature, a `redacted_thinking` block its data.',
    provider_error='{place}: Invalid `{key}` in `{kind}` block',
    source='https://github.com/pydantic/pydantic-ai/issues/7597',
)
MUST_START_WITH_THINKING = WireRule(
    code='anthropic-must-start-with-thinking',
    summary='With a thinking budget, the assistant turn of an open tool loop starts with thinking.',
    provider_error=(
        '{place}.type: Expected `thinking` or `redacted_thinking`, but found `{kind}`. When `thinking` is enabled, '
        'a final `assistant` message must start with a thinking block'
    ),
    source=_THINKING_GUIDE,
)
NATIVE_CALL_UNPAIRED = WireRule(
    code='anthropic-native-call-unpaired',
    summary='A server or MCP tool call has its result, unless only client tool results follow it.',
    provider_error='{place}: `{name}` tool use with id `{id}` was found without a corresponding `{result}` block',
    source='https://github.com/pydantic/pydantic-ai/issues/6401',
)
NATIVE_RESULT_UNPAIRED = WireRule(
    code='anthropic-native-result-unpaired',
    summary='A server or MCP tool result follows its call, once.',
    provider_error=(
        '{place}: unexpected `tool_use_id` found in `{kind}` blocks: {id}. '
        'Each `{kind}` block must have a corresponding `{call}` block before it.'
    ),
    source='https://github.com/anthropics/claude-code/issues/64383',
)
CACHE_CONTROL_MAX = WireRule(
    code='cache-control-max-four',
    summary='At most four blocks carry `cache_control`.',
    provider_error='A maximum of 4 blocks with cache_control may be provided. Found {count}.',
    source='https://github.com/pydantic/pydantic-ai/issues/3453',
)
MINIMAX_TRAILING_TEXT = WireRule(
    code='minimax-trailing-text-in-result-turn',
    summary='A message with a `tool_result` holds nothing else.',
    provider_error='invalid params, tool call result does not follow tool call (2013)',
    source='https://github.com/anomalyco/opencode/pull/32609',
    families=('minimax',),
)
MINIMAX_CALL_WITHOUT_RESULT = replace(
    CALL_WITHOUT_RESULT,
    code='minimax-result-not-following',
    provider_error='invalid params, tool call result does not follow tool call (2013)',
    source='https://github.com/can1357/oh-my-pi/issues/2055',
    families=('minimax',),
)
MINIMAX_RESULT_WITHOUT_CALL = replace(
    RESULT_WITHOUT_CALL,
    code='minimax-tool-id-not-found',
    provider_error="invalid params, tool result's tool id({id}) not found (2013)",
    source='https://github.com/anomalyco/opencode/pull/32609',
    families=('minimax',),
)
