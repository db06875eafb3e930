"""What a provider would answer: the wire rules of each API, as a function and as a server on loopback.

Shares no code with the repair rules, so that it can judge them. Standard library only.
"""

from ._check import check_request
from ._script import ProviderError, Text, Thinking, ToolCall
from ._server import ApiName, RecordedRequest, StrictProvider, strict_provider
from ._violations import WireViolation

__all__ = (
    'ApiName',
    'ProviderError',
    'RecordedRequest',
    'StrictProvider',
    'Text',
    'Thinking',
    'ToolCall',
    'WireViolation',
    'check_request',
    'strict_provider',
)
