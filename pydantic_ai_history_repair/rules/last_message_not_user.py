from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, SystemPromptPart, UserPromptPart

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule

ANCHOR: Final = '.'
"""A user turn that asserts nothing; Pydantic AI's own adapters use the same one."""


class LastMessageNotUser(Rule):
    """A last request in which nothing is left to send, so that the conversation ends on the model.

    ## Why providers reject it

    Claude from 4.6 on: "This model does not support assistant message prefill. The conversation must end with a user
    message". Gemini and Mistral refuse the same, and no provider takes a request without any message. It comes from a last
    request that held nothing but an orphaned result or a blank prompt, and from a run with instructions alone.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('Start the export.')]),
            ModelResponse(parts=[TextPart('It is running.')]),
            ModelRequest(parts=[ToolReturnPart('export', 'Done.', tool_call_id='call_1')]),
        ],
        dialect='anthropic',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR205 /2 added
        #> HR102 /2/parts/0 removed
    print([part.content for part in report.messages[2].parts])
    #> ['.']
    ```

    ## What the repair does

    It adds a user turn of a single period, which says nothing on the user's behalf, on the copy that is sent. With
    `orphaned_results='note'` there is a turn to end on, and none is added.

    ## What it never does

    It never adds anything to a history that ends on a response: that one is stored, not sent, or is meant to be gone on
    with.

    ## Dialects

    `anthropic`, `minimax-anthropic`, Bedrock, Gemini, Mistral, `portable`; all of them for a request without any message.
    """

    code = 'HR205'
    name = 'last-message-not-user'
    since = '0.1.0'
    phase = 'ends'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect, messages = history.terms.dialect, history.messages
        if dialect is None or dialect.name == 'unknown' or not messages or isinstance(messages[-1], ModelResponse):
            return []
        responses = [index for index, message in enumerate(messages) if isinstance(message, ModelResponse)]
        start = responses[-1] + 1 if responses else 0
        if not dialect.ends_on_user and any(messages[index].parts for index in responses):
            return []
        # The first request of a conversation states the system prompt, wherever it stands.
        standing = len(responses) == start
        if _sends(messages[start:], standing=standing, system_counts=dialect.api == 'openai-chat'):
            return []
        return [self.finding(Location(len(messages) - 1), 'The last request has nothing in it that is sent.')]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        index = len(history.messages) - 1
        timestamps = [message.timestamp for message in history.messages if message.timestamp]
        anchor = UserPromptPart(ANCHOR, timestamp=timestamps[-1] if timestamps else datetime.fromtimestamp(0, UTC))
        last = history.messages[index]
        assert isinstance(last, ModelRequest)
        edits.replace_message(index, replace(last, parts=[*last.parts, anchor]))
        return [Repair(finding=finding, action='added') for finding in findings]


def _sends(requests: Sequence[ModelMessage], *, standing: bool, system_counts: bool) -> bool:
    """Whether anything in requests becomes a message of the conversation; a standing system prompt is none."""
    parts: list[Any] = [part for request in requests for part in request.parts]
    return any(
        system_counts or not standing
        if isinstance(part, SystemPromptPart)
        else bool(part.content)
        if isinstance(part, UserPromptPart)
        else True
        for part in parts
    )
