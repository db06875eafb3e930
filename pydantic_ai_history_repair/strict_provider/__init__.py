"""What a provider would answer: the wire rules of each API, as a function and as a server on loopback.

Shares no code with the repair rules, so that it can judge them. Standard library only.
"""

from ._check import check_request
from ._violations import WireViolation

__all__ = ('WireViolation', 'check_request')
