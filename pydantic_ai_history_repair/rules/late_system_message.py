from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, SystemPromptPart, UserPromptPart

from .._compat import spoken_as_system
from .._edits import Edits
from .._fence import fenced
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule


class LateSystemMessage(Rule):
    """A system message in the middle of the conversation.

    ## Why providers reject it

    Mistral: "Unexpected role 'system' after role 'user'". The chat templates of Qwen 3: "System message must be at the
    beginning". It comes from a capability or a processor that adds instructions on the way, from two conversations put
    together, and from Pydantic AI itself, which asks for another answer in the system's voice.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[SystemPromptPart('Be brief.'), UserPromptPart('Hello.')]),
            ModelResponse(parts=[TextPart('Hello!')]),
            ModelRequest(parts=[SystemPromptPart('The user is now in Rome.'), UserPromptPart('Where am I?')]),
        ],
        dialect='mistral',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR208 /2/parts/0 replaced
    print(report.messages[2].parts[0].content.splitlines()[1])
    #> The user is now in Rome.
    ```

    ## What the repair does

    The message goes out as user text in a fence that says what it is, in its place.

    ## What it never does

    It never moves a system message to the front, which would move the cached prefix of the whole conversation.

    ## Dialects

    `mistral`, `mistral-compatible`, `qwen-template`, `portable`.
    """

    code = 'HR208'
    name = 'late-system-message'
    since = '0.1.0'
    phase = 'gathering'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not dialect.system_first:
            return []
        spoken = [
            place for place in (*history.contents.systems, *history.contents.others) if _text(place[2]) is not None
        ]
        standing = _standing(history.messages) if spoken else 0
        return [
            self.finding(Location(message, position), 'A system message stands in the middle.')
            for message, position, _ in spoken
            if message or position >= standing
        ]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            request = history.messages[finding.location.message]
            assert isinstance(request, ModelRequest)
            part: Any = request.parts[finding.location.part or 0]
            edits.replace(
                finding.location, UserPromptPart(fenced('system', _text(part) or ''), timestamp=part.timestamp)
            )
        return [Repair(finding=finding, action='replaced') for finding in findings]


def _standing(messages: Sequence[ModelMessage]) -> int:
    """How many parts of the first message are system messages that nothing stands before."""
    first = messages[0].parts
    return next((position for position, part in enumerate(first) if not isinstance(part, SystemPromptPart)), len(first))


def _text(part: object) -> str | None:
    return part.content if isinstance(part, SystemPromptPart) else spoken_as_system(part)
