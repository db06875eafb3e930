"""Rules about a shape that several APIs refuse, each in its own words."""

from __future__ import annotations

from typing import Any

import pytest

from pydantic_ai_history_repair.strict_provider import check_request

from . import test_anthropic as anthropic
from . import test_bedrock as bedrock
from . import test_google as google
from . import test_mistral as mistral
from . import test_openai_chat as chat
from . import test_openai_responses as responses

CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0'
NOVA = 'us.amazon.nova-pro-v1:0'
ONE = mistral.ID


def of_turns(api: Any) -> dict[str, Any]:
    """The shapes on an API whose results stand in user turns."""
    ask, say = api.ASK, (api.model if api is google else api.assistant)(api.text())
    called, answer = api.CALLED, api.ANSWER if api is not anthropic else api.user(api.result())
    result = api.response() if api is google else api.result()
    return {
        'late': api.body(ask, called, ask, say, answer),
        'text first': api.body(ask, called, api.user(api.text(), result)),
        'consecutive calls': api.body(ask, called, say, answer),
    }


def of_messages(api: Any, ask: Any, say: Any, called: Any, answer: Any) -> dict[str, Any]:
    """The shapes on an API whose results are messages of their own."""
    return {
        'late': api.body(ask, called, ask, say, answer),
        'text first': api.body(ask, called, ask, answer),
        'consecutive calls': api.body(ask, called, say, answer),
    }


SHAPES = {
    'anthropic': of_turns(anthropic),
    'bedrock': of_turns(bedrock),
    'google': of_turns(google),
    'mistral': of_messages(mistral, mistral.USER, mistral.ASSISTANT, mistral.calling(ONE), mistral.tool()),
    'openai-chat': of_messages(chat, chat.user(), chat.assistant(), chat.calling(), chat.tool()),
    'openai-responses': of_messages(responses, responses.USER, responses.SAID, responses.call(), responses.output()),
}
VERDICTS: list[tuple[str, str, str | None, set[str]]] = [
    ('late', 'anthropic', None, {'anthropic-call-without-result', 'anthropic-result-without-call'}),
    ('late', 'bedrock', CLAUDE, {'bedrock-expected-toolresult', 'bedrock-result-exceeds-calls'}),
    ('late', 'bedrock', NOVA, {'bedrock-expected-toolresult', 'bedrock-result-exceeds-calls'}),
    ('late', 'google', None, {'gemini-response-count-mismatch', 'gemini-response-without-call'}),
    ('late', 'mistral', None, {'mistral-call-result-count'}),
    ('late', 'openai-chat', None, {'chat-call-without-result', 'chat-result-without-call'}),
    ('late', 'openai-chat', 'deepseek-chat', {'deepseek-insufficient-tool-messages', 'chat-result-without-call'}),
    ('late', 'openai-chat', 'MiniMax-M2', {'minimax-result-not-following', 'minimax-tool-id-not-found'}),
    ('late', 'openai-responses', None, set()),
    ('text first', 'anthropic', None, {'text-before-tool-result'}),
    ('text first', 'bedrock', CLAUDE, {'bedrock-claude-did-not-find-results'}),
    ('text first', 'bedrock', NOVA, set()),
    ('text first', 'google', None, set()),
    ('text first', 'mistral', None, {'mistral-call-result-count', 'mistral-unexpected-role-tool'}),
    ('text first', 'openai-chat', None, {'chat-call-without-result', 'chat-result-without-call'}),
    ('text first', 'openai-responses', None, set()),
    ('consecutive calls', 'anthropic', None, {'anthropic-content-after-call'}),
    ('consecutive calls', 'bedrock', CLAUDE, {'anthropic-content-after-call'}),
    ('consecutive calls', 'bedrock', NOVA, set()),
    ('consecutive calls', 'google', None, set()),
    ('consecutive calls', 'mistral', None, {'mistral-call-result-count'}),
    ('consecutive calls', 'openai-chat', None, {'chat-call-without-result', 'chat-result-without-call'}),
    ('consecutive calls', 'openai-responses', None, set()),
]


@pytest.mark.parametrize(('shape', 'api', 'model', 'codes'), VERDICTS)
def test_shape(shape: str, api: str, model: str | None, codes: set[str]) -> None:
    """A result that comes late, behind text or behind another response is judged as the API at hand does."""
    found = check_request(api, SHAPES[api][shape], model=model)
    assert {violation.code for violation in found} == codes
