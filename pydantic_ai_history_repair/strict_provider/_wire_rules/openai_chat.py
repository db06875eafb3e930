"""What Chat Completions demands: of everyone, of OpenAI, and of vendors that borrow the API."""

from __future__ import annotations

from dataclasses import replace

from ._wire_rule import WireRule

_REFERENCE = 'https://platform.openai.com/docs/api-reference/chat/create'
OPENAI = ('openai',)

MALFORMED_BODY = WireRule(
    code='chat-malformed-body',
    summary='Every value has the type the API reference gives it.',
    provider_error='{problem}',
    source=_REFERENCE,
)
NO_MESSAGES = WireRule(
    code='chat-no-messages',
    summary='There is at least one message.',
    provider_error="Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    source=_REFERENCE,
)
CALL_WITHOUT_RESULT = WireRule(
    code='chat-call-without-result',
    summary='Every id of `tool_calls` has its `tool` message before any other role appears.',
    provider_error=(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
        'The following tool_call_ids did not have response messages: {id}'
    ),
    source='https://github.com/langgenius/dify/issues/32222',
)
RESULT_WITHOUT_CALL = WireRule(
    code='chat-result-without-call',
    summary='A `tool` message answers a call of the assistant message directly before.',
    provider_error=(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
    ),
    source='https://github.com/pydantic/pydantic-ai/issues/2050',
)
RESULT_UNKNOWN_ID = replace(
    RESULT_WITHOUT_CALL,
    provider_error="Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message.",
)
DUPLICATE_TOOL_MESSAGE = WireRule(
    code='openai-duplicate-tool-message',
    summary='A call is answered by one `tool` message.',
    provider_error=(
        "Invalid parameter: Duplicate value for 'tool_call_id' of '{id}', in messages[{first}] and messages[{second}]."
    ),
    source='https://github.com/agno-agi/agno/issues/5116',
    families=OPENAI,
)
NULL_CONTENT = WireRule(
    code='chat-null-content',
    summary='`content` is missing or null only where an assistant message has `tool_calls`, `refusal` or `audio`.',
    provider_error="Invalid value for 'content': expected a string, got null.",
    source='https://github.com/docker/docker-agent/issues/63',
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
IMAGE_IN_TOOL_MESSAGE = WireRule(
    code='openai-image-in-tool-message',
    summary='Images stand in user messages only.',
    provider_error=(
        "Invalid 'messages[{n}]'. Image URLs are only allowed for messages with role 'user', "
        "but this message with role 'tool' contains an image URL."
    ),
    source='https://github.com/OpenHands/OpenHands/issues/7700',
    families=('deepseek', *OPENAI),
)
AUDIO_IN_USER_MESSAGE = WireRule(
    code='openai-audio-in-user-message',
    summary='Models without `audio` in their name take no `input_audio`.',
    provider_error="Invalid 'messages[{n}]'. Content blocks are expected to be either text or image_url type.",
    source='https://github.com/pydantic/pydantic-ai/tree/4fda38988f2939fa6ea9cdefcf120693e10ef491/tests/models/cassettes/test_multimodal_tool_returns',
    families=OPENAI,
)
FOREIGN_BLOCKS = WireRule(
    code='foreign-native-tool-blocks',
    summary="Content parts are not another provider's tool blocks.",
    provider_error=(
        "Invalid value: '{kind}'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'."
    ),
    source=_REFERENCE,
    families=OPENAI,
)
REASONING_ID_AS_FIELD = WireRule(
    code='chat-reasoning-id-as-field',
    summary='An assistant message has no field named like a reasoning item (`rs_...`).',
    provider_error="Unknown parameter: '{place}'.",
    source=_REFERENCE,
    families=OPENAI,
    literal=False,
)

DEEPSEEK_CALL_WITHOUT_RESULT = replace(
    CALL_WITHOUT_RESULT,
    code='deepseek-insufficient-tool-messages',
    provider_error=(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. "
        '(insufficient tool messages following tool_calls message)'
    ),
    source='https://github.com/gptme/gptme/issues/3421',
    families=('deepseek',),
)
DEEPSEEK_REASONING_CONTENT = WireRule(
    code='deepseek-reasoning-content-required',
    summary='In thinking mode the tool calls since the last user message carry `reasoning_content`.',
    provider_error='The `reasoning_content` in the thinking mode must be passed back to the API.',
    source='https://github.com/pydantic/pydantic-ai/issues/3629',
    families=('deepseek',),
)
KIMI_REASONING_CONTENT = WireRule(
    code='kimi-reasoning-content-required',
    summary='With thinking enabled every assistant message with calls carries `reasoning_content`.',
    provider_error=('thinking is enabled but reasoning_content is missing in assistant tool call message at index {n}'),
    source='https://github.com/QuantumNous/new-api/issues/3121',
    families=('kimi',),
)
KIMI_RESULT_WITHOUT_CALL = replace(
    RESULT_WITHOUT_CALL,
    code='kimi-tool-call-id-not-found',
    provider_error='Invalid request: tool_call_id  is not found',
    source='https://platform.moonshot.ai/docs/api/chat',
    families=('kimi',),
    literal=False,
)
GLM_NO_USER = WireRule(
    code='glm-1214',
    summary='There is a user message.',
    provider_error='The messages parameter is illegal. Please check the documentation.',
    source='https://github.com/MetaGLM/zhipuai-sdk-python-v4/issues/14',
    families=('glm',),
)
GROQ_ASSISTANT_EMPTY = replace(
    NULL_CONTENT,
    code='groq-assistant-empty',
    summary='An assistant message has `content` or `tool_calls`.',
    provider_error="'{place}' : for 'role:assistant' the following must be satisfied[('{place}.content' : is missing)]",
    source='https://console.groq.com/docs/api-reference#chat-create',
    families=('groq',),
    literal=False,
)
GROQ_REASONING_FIELD = WireRule(
    code='groq-unknown-reasoning-field',
    summary='An assistant message has no `reasoning_content`.',
    provider_error=(
        "'{place}' : for 'role:assistant' the following must be satisfied"
        "[('{place}' : property 'reasoning_content' is unsupported)]"
    ),
    source='https://github.com/karthink/gptel/issues/774',
    families=('groq',),
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
    source='https://github.com/MiniMax-AI/MiniMax-M2/issues/76',
    families=('minimax',),
)
MINIMAX_REPEATED_CALL_ID = WireRule(
    code='duplicate-call-ids-across-turns',
    summary='A call id occurs once in the whole request.',
    provider_error='invalid params, tool call result does not follow tool call (2013)',
    source='https://github.com/can1357/oh-my-pi/issues/2055',
    families=('minimax',),
)
MINIMAX_ID_INVALID = WireRule(
    code='minimax-id-invalid',
    summary='Call ids are not empty.',
    provider_error='invalid params, tool call id is invalid (2013)',
    source='https://github.com/Kilo-Org/kilocode/issues/3967',
    families=('minimax',),
)
MINIMAX_ARGUMENTS = WireRule(
    code='minimax-args-json',
    summary='The arguments of a call are JSON.',
    provider_error='invalid params, invalid function arguments json string, tool_call_id: {id} (2013)',
    source='https://github.com/earendil-works/pi/issues/5468',
    families=('minimax',),
)
QWEN_ARGUMENTS = replace(
    MINIMAX_ARGUMENTS,
    code='qwen-args-json',
    provider_error=(
        'InternalError.Algo.InvalidParameter: '
        'The "function.arguments" parameter of the code model must be in JSON format.'
    ),
    source='https://github.com/HKUDS/nanobot/issues/1487',
    families=('qwen',),
)
QWEN_CONTENT = replace(
    NULL_CONTENT,
    code='qwen-content-required',
    summary='Every assistant message has `content`, beside `tool_calls` too.',
    provider_error='<400> InternalError.Algo.InvalidParameter: The content field is a required field.',
    source='https://github.com/pydantic/pydantic-ai/issues/5287',
    families=('qwen',),
)
XAI_EMPTY_CONTENT = replace(
    NULL_CONTENT,
    code='xai-empty-content',
    summary='A message without calls has a content element.',
    provider_error='Each message must have at least one content element',
    source='https://docs.x.ai/docs/api-reference#chat-completions',
    families=('xai',),
    literal=False,
)
TEMPLATE_ALTERNATE = WireRule(
    code='template-roles-alternate',
    summary='After at most one system message, user and assistant messages alternate.',
    provider_error='Conversation roles must alternate user/assistant/user/assistant/...',
    source='https://github.com/suitenumerique/conversations/issues/197',
    families=('alternating-template',),
)
TEMPLATE_SYSTEM_FIRST = WireRule(
    code='system-only-at-beginning',
    summary='A system message is the first message.',
    provider_error='System message must be at the beginning.',
    source='https://github.com/vllm-project/vllm/issues/41114',
    families=('qwen-template',),
)
