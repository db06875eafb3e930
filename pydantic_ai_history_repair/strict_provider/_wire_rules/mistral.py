"""What Mistral chat completions demands."""

from __future__ import annotations

from ._wire_rule import WireRule

_VALIDATOR = 'https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py'

MALFORMED_BODY = WireRule(
    code='mistral-malformed-body',
    summary='Every value has the type the API reference gives it.',
    provider_error='{problem}',
    source='https://docs.mistral.ai/api/#tag/chat',
    status=422,
)
NO_MESSAGES = WireRule(
    code='mistral-no-messages',
    summary='There is at least one message.',
    provider_error='Conversation must have at least one message',
    source=_VALIDATOR,
)
CALL_RESULT_COUNT = WireRule(
    code='mistral-call-result-count',
    summary='As many `tool` messages follow an assistant message as it has `tool_calls`.',
    provider_error='Not the same number of function calls and responses',
    source='https://github.com/camel-ai/camel/issues/1467',
)
UNEXPECTED_TOOL = WireRule(
    code='mistral-unexpected-role-tool',
    summary='A `tool` message follows an assistant message with `tool_calls` or another `tool` message.',
    provider_error="Unexpected role 'tool' after role '{before}'",
    source='https://github.com/charmbracelet/crush/issues/279',
)
USER_AFTER_TOOL = WireRule(
    code='mistral-user-after-tool',
    summary='An assistant message stands between a `tool` message and the next user message.',
    provider_error="Unexpected role 'user' after role 'tool'",
    source='https://github.com/pipecat-ai/pipecat-flows/issues/178',
)
SYSTEM_MID = WireRule(
    code='mistral-system-mid',
    summary='No system message follows an assistant or `tool` message.',
    provider_error="Unexpected role 'system' after role '{before}'",
    source=_VALIDATOR,
)
ID_NINE_ALNUM = WireRule(
    code='mistral-id-nine-alnum',
    summary='Call ids are nine letters or digits.',
    provider_error='Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9.',
    source='https://github.com/pydantic/pydantic-ai/issues/9096',
)
ASSISTANT_EMPTY = WireRule(
    code='empty-assistant-other',
    summary='An assistant message has `content` or `tool_calls`.',
    provider_error='Assistant message must have either content or tool_calls, but not both.',
    source=_VALIDATOR,
)
LAST_ROLE = WireRule(
    code='mistral-last-role',
    summary='The last message is of the user or a tool, or an assistant message with `prefix`.',
    provider_error='Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
    source=_VALIDATOR,
)
UNKNOWN_ID = WireRule(
    code='mistral-unexpected-tool-call-id',
    summary='A `tool` message answers a call of the assistant message before it.',
    provider_error='Unexpected tool call id {id} in tool results',
    source=_VALIDATOR,
)
DUPLICATE_RESULT = WireRule(
    code='mistral-duplicate-tool-call-id',
    summary='A call is answered by one `tool` message.',
    provider_error='Duplicate tool call id {id} in tool results',
    source=_VALIDATOR,
)
