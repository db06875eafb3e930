from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai.messages import ModelResponse, TextPart, ThinkingPart, ToolCallPart

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule


class ReasoningWithoutFollower(Rule):
    """Reasoning of OpenAI Responses without the item that it led to.

    ## Why providers reject it

    "Item 'rs_1' of type 'reasoning' was provided without its required following item." It comes from a history processor
    that removes or rewrites a text and leaves the thinking in front of it, and from a stream that was cut after the
    reasoning.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ThinkingPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is 2 + 2?')]),
            ModelResponse(parts=[ThinkingPart('Let me add.', id='rs_1', signature='gAAA')], provider_name='openai'),
            ModelRequest(parts=[UserPromptPart('And?')]),
        ],
        dialect='openai-responses',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR503 /1/parts/0 demoted
    print(report.messages[1].parts[0].id, report.messages[1].parts[0].content)
    #> None Let me add.
    ```

    ## What the repair does

    The thinking loses its item id and goes as text; what else the response holds behind it loses its own, since it would
    ask for that reasoning.

    ## What it never does

    It never drops what the model thought, and never touches reasoning that is followed by a call or by the text it led to.

    ## Dialects

    `openai-responses`, `portable`; only for responses of OpenAI itself and of Azure.
    """

    code = 'HR503'
    name = 'reasoning-without-follower'
    since = '0.1.0'
    phase = 'order'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or dialect.item_id_prefixes is None:
            return []
        findings: list[Finding] = []
        for message, position, part in history.contents.thinking:
            response = history.messages[message]
            assert isinstance(response, ModelResponse)
            own = (part.provider_name or response.provider_name) in dialect.own_providers
            if own and part.id and not _leads_on(response.parts[position + 1 :]):
                text = f'What the reasoning {part.id!r} led to does not follow it.'
                findings.append(self.finding(Location(message, position), text))
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for message, position in (finding.location for finding in findings):
            edits.replace(Location(message, position), replace(edits.part(Location(message, position)), id=None))
            for at, part in enumerate(history.messages[message].parts):
                if at > (position or 0) and isinstance(part, TextPart | ToolCallPart) and part.id:
                    edits.replace(Location(message, at), replace(part, id=None))
        return [Repair(finding=finding, action='demoted') for finding in findings]


def _leads_on(following: Sequence[Any]) -> bool:
    """Whether the first part that is no further reasoning is an item: a text that the model was given credit for, a call."""
    first = next((part for part in following if not (isinstance(part, ThinkingPart) and part.id)), None)
    if isinstance(first, TextPart):
        return bool(first.id)
    return first is not None and not isinstance(first, ThinkingPart)
