"""What Gemini `generateContent` demands."""

from __future__ import annotations

from ._wire_rule import WireRule

_REFERENCE = 'https://ai.google.dev/api/generate-content'
_VERTEX = ('vertex-gemini-2', 'vertex-gemini-3', 'vertex-gemini-3.6')
_SIGNED = ('gemini-3', 'gemini-3.6', 'vertex-gemini-3', 'vertex-gemini-3.6')

MALFORMED_BODY = WireRule(
    code='gemini-malformed-body',
    summary='Every value has the type the API reference gives it.',
    provider_error="Invalid value at '{place}', expected {expected}.",
    source=_REFERENCE,
    literal=False,
)
NO_CONTENTS = WireRule(
    code='gemini-no-contents',
    summary='There is at least one content.',
    provider_error='* GenerateContentRequest.contents: contents is not specified',
    source=_REFERENCE,
)
EMPTY_PARTS = WireRule(
    code='gemini-empty-parts',
    summary='Every content has parts.',
    provider_error='* GenerateContentRequest.{place}: contents.parts must not be empty.',
    source='https://github.com/vercel/ai/issues/3775',
)
EMPTY_PART = WireRule(
    code='gemini-empty-part',
    summary='Every part holds something.',
    provider_error="* GenerateContentRequest.{place}.data: required oneof field 'data' must have one initialized field",
    source='https://github.com/54xzh/FLIT/pull/70',
)
EMPTY_TEXT = WireRule(
    code='gemini-empty-text',
    summary='Text parts are not empty.',
    provider_error='Unable to submit request because it must have a text parameter.',
    source='https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
    families=_VERTEX,
)
RESPONSE_COUNT = WireRule(
    code='gemini-response-count-mismatch',
    summary='As many `functionResponse` parts follow a model turn as it has `functionCall` parts.',
    provider_error=(
        'Please ensure that the number of function response parts is equal to the number of function call parts '
        'of the function call turn.'
    ),
    source='https://github.com/google-gemini/gemini-cli/issues/16543',
)
SPLIT_RESPONSES = WireRule(
    code='parallel-results-split',
    summary='The responses to the calls of one turn stand in one content.',
    provider_error=RESPONSE_COUNT.provider_error,
    source='https://github.com/pydantic/pydantic-ai/issues/580',
    families=_VERTEX,
)
RESPONSE_WITHOUT_CALL = WireRule(
    code='gemini-response-without-call',
    summary='A `functionResponse` turn comes right after a `functionCall` turn.',
    provider_error='Please ensure that function response turn comes immediately after a function call turn.',
    source='https://github.com/BerriAI/litellm/issues/26755',
)
CALL_TURN_ORDER = WireRule(
    code='gemini-call-turn-order',
    summary='A `functionCall` turn comes right after a user turn or a `functionResponse` turn.',
    provider_error=(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
    ),
    source='https://github.com/google-gemini/gemini-cli/issues/11814',
)
MIXED_TEXT = WireRule(
    code='gemini-response-turn-mixed-text',
    summary='The last content has nothing behind its `functionResponse` parts.',
    provider_error='Requests ending with a model turn are not supported.',
    source='https://github.com/deepnoodle-ai/dive/pull/287',
    families=('vertex-gemini-3.6',),
)
MUST_END_WITH_USER = WireRule(
    code='gemini-must-end-with-user',
    summary='The last content is no model turn.',
    provider_error='Requests ending with a model turn are not supported.',
    source='https://github.com/LibreChat-AI/agents/pull/323',
    families=('gemini-3.6', 'vertex-gemini-3.6'),
)
MISSING_SIGNATURE = WireRule(
    code='gemini-missing-thought-signature',
    summary='Since the last user message, the first `functionCall` of every model turn has its `thoughtSignature`.',
    provider_error=(
        'Function call is missing a thought_signature in functionCall parts. This is required for tools to work '
        'correctly, and missing thought_signature may lead to degraded model performance. Additional data, '
        'function call `default_api:{name}` , position {position}.'
    ),
    source='https://ai.google.dev/gemini-api/docs/thought-signatures',
    families=_SIGNED,
)
CORRUPTED_SIGNATURE = WireRule(
    code='gemini-corrupted-signature',
    summary='A `thoughtSignature` is Base64.',
    provider_error='Base64 decoding failed',
    source='https://github.com/google-gemini/gemini-cli/issues/13467',
)
