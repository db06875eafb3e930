"""One file per API: a scripted turn as that API's JSON and stream events."""

from ._anthropic import ANTHROPIC
from ._bedrock import BEDROCK
from ._google import GOOGLE
from ._mistral import MISTRAL
from ._openai_chat import OPENAI_CHAT
from ._openai_responses import OPENAI_RESPONSES
from ._wire_api import Endpoint, JsonObject, json_text

__all__ = ('WIRE_APIS', 'Endpoint', 'JsonObject', 'json_text')

WIRE_APIS = {
    'anthropic': ANTHROPIC,
    'bedrock': BEDROCK,
    'google': GOOGLE,
    'mistral': MISTRAL,
    'openai-chat': OPENAI_CHAT,
    'openai-responses': OPENAI_RESPONSES,
}
