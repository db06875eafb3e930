"""One file per API: a scripted turn as that API's JSON and stream events."""

from ._anthropic import ANTHROPIC
from ._wire_api import Endpoint, JsonObject, json_text

__all__ = ('WIRE_APIS', 'Endpoint', 'JsonObject', 'json_text')

WIRE_APIS = {'anthropic': ANTHROPIC}
