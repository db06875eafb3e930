"""What Bedrock Converse demands: the service, and the model families behind it."""

from __future__ import annotations

from dataclasses import replace

from . import anthropic
from ._wire_rule import WireRule

_REFERENCE = 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html'
_TOOL_USE_BLOCK = 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html'
CLAUDE = ('claude-4.5', 'claude-4.6', 'claude-4.8')

MALFORMED_BODY = WireRule(
    code='bedrock-malformed-body',
    summary='Every value has the type the API reference gives it.',
    provider_error="Value at '{place}' failed to satisfy constraint: expected {expected}",
    source=_REFERENCE,
    literal=False,
)
EXPECTED_TOOL_RESULT = WireRule(
    code='bedrock-expected-toolresult',
    summary='Every `toolUse` is answered by a `toolResult` in the next user turn.',
    provider_error='Expected toolResult blocks at messages.{n}.content for the following Ids: {id}',
    source='https://github.com/agno-agi/agno/pull/6694',
)
RESULT_EXCEEDS_CALLS = WireRule(
    code='bedrock-result-exceeds-calls',
    summary='A `toolResult` answers a `toolUse` of the turn before it, once.',
    provider_error=(
        'The number of toolResult blocks at messages.{n}.content exceeds the number of toolUse blocks of previous turn.'
    ),
    source='https://github.com/pydantic/pydantic-ai/issues/2327',
)
RESULTS_FIRST = WireRule(
    code='bedrock-claude-did-not-find-results',
    summary='The turn that answers calls begins with their results.',
    provider_error=(
        'messages.{n}: Did not find {count} `tool_result` block(s) at the beginning of this message. '
        'Messages following `tool_use` blocks must begin with a matching number of `tool_result` blocks.'
    ),
    source='https://github.com/langchain-ai/langchain-aws/issues/451',
    families=CLAUDE,
)
TOOL_USE_ID = WireRule(
    code='bedrock-tooluseid-pattern',
    summary='A `toolUseId` has 1 to 64 letters, digits, `_`, `.`, `:` or `-`.',
    provider_error=(
        "Value at '{place}' failed to satisfy constraint: "
        'Member must satisfy regular expression pattern: [a-zA-Z0-9_.:-]+'
    ),
    source=_TOOL_USE_BLOCK,
    literal=False,
)
TOOL_NAME = WireRule(
    code='bedrock-tool-name-pattern',
    summary='The name of a `toolUse` has 1 to 64 letters, digits, `_` or `-`.',
    provider_error=(
        "Value at '{place}' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+"
    ),
    source='https://github.com/pydantic/pydantic-ai/issues/4585',
)
BLANK_TEXT = WireRule(
    code='bedrock-blank-text',
    summary='Text blocks are not empty, in a `toolResult` neither.',
    provider_error=(
        'The text field in the ContentBlock object at {place} is blank. Add text to the text field, and try again.'
    ),
    source='https://github.com/boto/botocore/issues/3525',
)
EMPTY_CONTENT = WireRule(
    code='bedrock-empty-content',
    summary='Every message has content.',
    provider_error=(
        'The content field in the Message object at {place} is empty. '
        'Add a ContentBlock object to the content field and try again.'
    ),
    source='https://github.com/Portkey-AI/gateway/issues/995',
)
DOCUMENT_NEEDS_TEXT = WireRule(
    code='bedrock-document-needs-text',
    summary='A turn with a document has a text block too.',
    provider_error='A text block must be included when using documents.',
    source='https://github.com/archestra-ai/archestra/pull/4220',
)
JSON_RESULT_OBJECT = WireRule(
    code='bedrock-json-result-object',
    summary='The `json` of a `toolResult` is an object.',
    provider_error='The format of the value at {place} is invalid. Provide a json object for the field and try again.',
    source='https://github.com/sigoden/aichat/pull/1550',
)
START_WITH_USER = WireRule(
    code='bedrock-start-with-user',
    summary='The first message is of the user.',
    provider_error=(
        'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
    ),
    source='https://github.com/pydantic/pydantic-ai/issues/4495',
    families=('nova', 'llama', 'mistral', 'writer'),
)
TOOL_CONFIG_REQUIRED = WireRule(
    code='bedrock-toolconfig-required',
    summary='A request with tool blocks has a `toolConfig`.',
    provider_error='The toolConfig field must be defined when using toolUse and toolResult content blocks.',
    source='https://github.com/pydantic/pydantic-ai/issues/1966',
)
COLOCATION = WireRule(
    code='bedrock-toolresult-colocation',
    summary='A turn with a `toolResult` holds nothing else.',
    provider_error=(
        'messages.{n}.content: Conversation blocks and tool result blocks cannot be provided in the same turn.'
    ),
    source='https://github.com/BerriAI/litellm/issues/6053',
    families=('llama', 'mistral', 'writer'),
)
UNSUPPORTED_MEDIA = WireRule(
    code='bedrock-unsupported-media',
    summary='There is no video.',
    provider_error=(
        "This model doesn't support the video content block that you provided. Update the content block and try again."
    ),
    source='https://github.com/pydantic/pydantic-ai/tree/4fda38988f2939fa6ea9cdefcf120693e10ef491/tests/models/cassettes/test_multimodal_tool_returns',
    families=CLAUDE,
)
FOREIGN_BLOCKS = WireRule(
    code='foreign-native-tool-blocks',
    summary='Content blocks are not in the form of another API.',
    provider_error='Malformed input request: #/{place}: extraneous key [type] is not permitted',
    source='https://github.com/coder/coder/pull/26555',
    literal=False,
)


def _from_claude(rule: WireRule) -> WireRule:
    """A rule of Claude's own, whose text comes back through the service with a prefix."""
    return replace(rule, provider_error='The model returned the following errors: ' + rule.provider_error)


CACHE_CONTROL_MAX = replace(_from_claude(anthropic.CACHE_CONTROL_MAX), families=CLAUDE)
CONTENT_AFTER_CALL = replace(_from_claude(anthropic.CONTENT_AFTER_CALL), families=CLAUDE)
DUPLICATE_CALL_IDS = replace(_from_claude(anthropic.DUPLICATE_CALL_IDS), families=CLAUDE)
ID_CHARSET = replace(_from_claude(anthropic.ID_CHARSET), families=CLAUDE)
INPUT_DICT = replace(_from_claude(anthropic.INPUT_DICT), families=CLAUDE)
INVALID_SIGNATURE = replace(_from_claude(anthropic.INVALID_SIGNATURE), families=CLAUDE)
MUST_START_WITH_THINKING = replace(_from_claude(anthropic.MUST_START_WITH_THINKING), families=CLAUDE)
NO_PREFILL = _from_claude(anthropic.NO_PREFILL)
TRAILING_WHITESPACE = replace(_from_claude(anthropic.TRAILING_WHITESPACE), families=CLAUDE)
