"""What can be wrong with a history: one file per rule, with its documentation, its check and its repair."""

from collections.abc import Sequence

from ._base import Phase, Rule, Scope
from .blank_text import BlankText
from .consecutive_messages import ConsecutiveMessages
from .content_after_tool_call import ContentAfterToolCall
from .content_before_tool_result import ContentBeforeToolResult
from .dangling_tool_call import DanglingToolCall
from .displaced_tool_result import DisplacedToolResult
from .duplicate_tool_call_id import DuplicateToolCallId
from .duplicate_tool_result import DuplicateToolResult
from .empty_response import EmptyResponse
from .empty_tool_call_id import EmptyToolCallId
from .first_message_not_user import FirstMessageNotUser
from .foreign_thinking import ForeignThinking
from .last_message_not_user import LastMessageNotUser
from .late_system_message import LateSystemMessage
from .orphaned_tool_result import OrphanedToolResult
from .reasoning_without_follower import ReasoningWithoutFollower
from .response_item_id import ResponseItemId
from .split_tool_results import SplitToolResults
from .tool_call_id_format import ToolCallIdFormat
from .tool_name_format import ToolNameFormat
from .tool_name_mismatch import ToolNameMismatch
from .tools_not_declared import ToolsNotDeclared
from .unpaired_native_tool import UnpairedNativeTool
from .unsigned_thinking import UnsignedThinking
from .unthinking_tool_loop import UnthinkingToolLoop
from .user_after_tool_result import UserAfterToolResult

__all__ = ('CORE_RULES', 'RULES', 'Phase', 'Rule', 'Scope', 'rules_without')

_PAIRING = (OrphanedToolResult(), DanglingToolCall())

CORE_RULES: tuple[Rule, ...] = (*_PAIRING, ConsecutiveMessages(gather_merged=False))
"""The three passes that Pydantic AI has itself since 2.10, in its order and with its results."""

RULES: tuple[Rule, ...] = (
    # ids
    EmptyToolCallId(),
    DuplicateToolCallId(),
    # pairing
    DisplacedToolResult(),
    DuplicateToolResult(),
    *_PAIRING,
    # parts
    BlankText(),
    UnpairedNativeTool(),
    UnsignedThinking(),
    ForeignThinking(),
    ResponseItemId(),
    ToolCallIdFormat(),
    ToolNameFormat(),
    ToolNameMismatch(),
    # emptied
    EmptyResponse(),
    # shape
    ConsecutiveMessages(),
    # gathering
    LateSystemMessage(),
    SplitToolResults(),
    # order
    ContentBeforeToolResult(),
    ContentAfterToolCall(),
    ReasoningWithoutFollower(),
    # ends
    UserAfterToolResult(),
    LastMessageNotUser(),
    # whole
    FirstMessageNotUser(),
    UnthinkingToolLoop(),
    ToolsNotDeclared(),
)
"""Every rule, in the order in which they run: by phase, and within one as they are listed."""


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
