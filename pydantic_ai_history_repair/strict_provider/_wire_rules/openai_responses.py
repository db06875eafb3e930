"""What Responses demands: of everyone, of OpenAI, and of vendors that borrow the API."""

from __future__ import annotations

from dataclasses import replace

from ._wire_rule import WireRule

_REFERENCE = 'https://platform.openai.com/docs/api-reference/responses/create'
OPENAI = ('openai',)

MALFORMED_BODY = WireRule(
    code='responses-malformed-body',
    summary='Every value has the type the API reference gives it.',
    provider_error='{problem}',
    source=_REFERENCE,
)
CALL_WITHOUT_OUTPUT = WireRule(
    code='responses-call-without-output',
    summary='Every `function_call` has its `function_call_output` in the input, unless the server keeps the rest.',
    provider_error='No tool output found for function call {id}.',
    source='https://github.com/Azure/azure-sdk-for-python/issues/46092',
)
OUTPUT_WITHOUT_CALL = WireRule(
    code='responses-output-without-call',
    summary='Every `function_call_output` has its call in the input, unless the server keeps the rest.',
    provider_error='No tool call found for function call output with call_id {id}.',
    source='https://github.com/continuedev/continue/issues/10092',
)
DUPLICATE_OUTPUT = WireRule(
    code='responses-duplicate-output',
    summary='A `call_id` has one output.',
    provider_error=(
        "Duplicate function_call_output for call_id '{id}'. "
        'Each function_call must have exactly one matching function_call_output'
    ),
    source='https://github.com/NousResearch/hermes-agent/issues/102629',
)
DUPLICATE_ITEM_ID = WireRule(
    code='responses-duplicate-item-id',
    summary='An item id occurs once.',
    provider_error='Duplicate item found with id {id}. Remove duplicate items from your input and try again.',
    source='https://github.com/vercel/ai/issues/7883',
    families=OPENAI,
)
CALL_ID_LENGTH = WireRule(
    code='openai-call-id-length',
    summary='Call ids are at most 64 characters long.',
    provider_error=(
        "Invalid '{place}': string too long. Expected a string with maximum length 64, "
        'but got a string with length {length} instead.'
    ),
    source='https://github.com/earendil-works/pi/issues/1022',
    families=OPENAI,
)
CALL_ID_EMPTY = WireRule(
    code='openai-call-id-empty',
    summary='Call ids are not empty.',
    provider_error=(
        "Invalid '{place}': empty string. Expected a string with minimum length 1, but got an empty string instead."
    ),
    source='https://github.com/anomalyco/opencode/issues/1279',
    families=OPENAI,
)
ITEM_ID_PREFIX = WireRule(
    code='openai-item-id-prefix',
    summary='Item ids begin with the prefix of their type: `fc`, `ctc`, `msg`, `rs`.',
    provider_error="Invalid '{place}': '{id}'. Expected an ID that begins with '{prefix}'.",
    source='https://github.com/openai/codex/issues/33176',
    families=OPENAI,
)
ITEM_ID_CHARSET = WireRule(
    code='openai-item-id-charset',
    summary='Item ids consist of letters, digits, `_` and `-` and are not empty.',
    provider_error=(
        "Invalid '{place}': '{id}'. Expected an ID that contains letters, numbers, underscores, or dashes, "
        'but this value contained additional characters.'
    ),
    source='https://github.com/langchain-ai/langchainjs/issues/11044',
    families=OPENAI,
)
TOOL_NAME = WireRule(
    code='openai-tool-name-pattern',
    summary='Tool names of calls consist of letters, digits, `_` and `-`.',
    provider_error=(
        "Invalid '{place}': string does not match pattern. "
        "Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
    ),
    source='https://github.com/vercel/ai/issues/1972',
    families=OPENAI,
)
REASONING_WITHOUT_ITEM = WireRule(
    code='responses-reasoning-without-item',
    summary='A reasoning item with an id is followed by an item the model produced after it.',
    provider_error="Item '{id}' of type 'reasoning' was provided without its required following item.",
    source='https://github.com/pydantic/pydantic-ai/issues/2870',
    families=OPENAI,
)
INTERLEAVED_CALLS = WireRule(
    code='deepseek-responses-interleaved-calls',
    summary='No message or reasoning stands between the calls of one turn.',
    provider_error='No tool output found for tool call {id}.',
    source='https://github.com/pydantic/pydantic-ai/issues/7430',
    families=('deepseek',),
)

DEEPSEEK_CALL_WITHOUT_OUTPUT = replace(
    CALL_WITHOUT_OUTPUT,
    provider_error='No tool output found for tool call {id}.',
    source='https://github.com/pydantic/pydantic-ai/issues/7430',
    families=('deepseek',),
)
MINIMAX_CALL_WITHOUT_OUTPUT = replace(
    CALL_WITHOUT_OUTPUT,
    code='minimax-result-not-following',
    provider_error='invalid params, tool call result does not follow tool call (2013)',
    source='https://github.com/can1357/oh-my-pi/issues/2055',
    families=('minimax',),
)
MINIMAX_OUTPUT_WITHOUT_CALL = replace(
    OUTPUT_WITHOUT_CALL,
    code='minimax-tool-id-not-found',
    provider_error="invalid params, tool result's tool id({id}) not found (2013)",
    source='https://github.com/anomalyco/opencode/pull/32609',
    families=('minimax',),
)
