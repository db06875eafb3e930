from __future__ import annotations

from pydantic_ai.messages import ModelResponse, NativeToolCallPart, NativeToolReturnPart, TextPart, ToolCallPart

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule


class EmptyResponse(Rule):
    """A response that says nothing and calls nothing.

    ## Why providers reject it

    Groq, Mistral and xAI want content or tool calls in every message of the assistant. xAI: "Each message must have at
    least one content element". It comes from a stream that was cut before its first token, and from a model that
    answered with nothing at all.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('Are you there?')]),
            ModelResponse(parts=[]),
            ModelRequest(parts=[UserPromptPart('Hello?')]),
        ],
        dialect='groq',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR402 /1 removed
        #> HR201 /2 merged
    print([part.content for part in report.messages[0].parts])
    #> ['Are you there?', 'Hello?']
    ```

    ## What the repair does

    It leaves the response out of what is sent; the requests around it become one, as consecutive requests do.

    ## What it never does

    It never drops a response with a part that may be sent: text, thinking, a call, a file, or a part of a kind that this
    package does not know.

    ## Dialects

    `groq`, `xai`, `mistral-compatible`, `portable`. The other adapters leave such a response out themselves.
    """

    code = 'HR402'
    name = 'empty-response'
    since = '0.1.0'
    phase = 'emptied'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not dialect.refuses_empty_response:
            return []
        return [
            self.finding(Location(index), 'A response says nothing and calls nothing.')
            for index, message in enumerate(history.messages)
            if isinstance(message, ModelResponse)
            and not (message.parts and isinstance(message.parts[0], TextPart | ToolCallPart))  # nearly every one
            and all(isinstance(part, NativeToolCallPart | NativeToolReturnPart) for part in message.parts)
        ]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            edits.drop_message(finding.location.message)
        return [Repair(finding=finding, action='removed') for finding in findings]
