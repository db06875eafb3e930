"""What can be wrong with a history: one file per rule, with its documentation, its check and its repair."""

from collections.abc import Sequence

from ._base import Phase, Rule
from .consecutive_messages import ConsecutiveMessages
from .dangling_tool_call import DanglingToolCall
from .displaced_tool_result import DisplacedToolResult
from .duplicate_tool_result import DuplicateToolResult
from .orphaned_tool_result import OrphanedToolResult

__all__ = ('CORE_RULES', 'RULES', 'Phase', 'Rule', 'rules_without')

_PAIRING = (OrphanedToolResult(), DanglingToolCall())

CORE_RULES: tuple[Rule, ...] = (*_PAIRING, ConsecutiveMessages(gather_merged=False))
"""The three passes that Pydantic AI has itself since 2.10, in its order and with its results."""

RULES: tuple[Rule, ...] = (DisplacedToolResult(), DuplicateToolResult(), *_PAIRING, ConsecutiveMessages())
"""Every rule, in the order in which they run: pairing first, then the shape of the messages."""


def rules_without(ignore: Sequence[str]) -> tuple[Rule, ...]:
    """Every rule but those with the codes to ignore.

    Raises:
        ValueError: If no rule has one of the codes.
    """
    codes = sorted(rule.code for rule in RULES)
    unknown = [code for code in ignore if code not in codes]
    if isinstance(ignore, str) or unknown:
        raise ValueError(f'`ignore` must be a list of rule codes out of {", ".join(codes)}, got {ignore!r}.')
    return tuple(rule for rule in RULES if rule.code not in ignore)
