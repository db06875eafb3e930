from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from pydantic_ai.messages import ModelRequest, UserPromptPart

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule
from .last_message_not_user import ANCHOR


class FirstMessageNotUser(Rule):
    """A conversation in which the user never speaks.

    ## Why providers reject it

    GLM: "code 1214: The messages parameter is illegal". It comes from a history that was cut in front until the prompt
    was gone, so that it starts with a tool loop.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, ToolCallPart, ToolReturnPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[SystemPromptPart('Be brief.')]),
            ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
            ModelRequest(parts=[ToolReturnPart('get_weather', 'Sunny.', tool_call_id='call_1')]),
        ],
        dialect='glm',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR204 /0 added
    print([part.content for part in report.messages[0].parts])
    #> ['Be brief.', '.']
    ```

    ## What the repair does

    It adds a user turn of a single period at the start, which says nothing on the user's behalf.

    ## What it never does

    It never takes away what the model said first: a welcome stays.

    ## Dialects

    `glm`, `portable`. Where a provider wants the user to speak first (Nova, Llama and Mistral on Bedrock, Gemini ahead of a
    function call), Pydantic AI's own adapter adds the turn.
    """

    code = 'HR204'
    name = 'first-message-not-user'
    since = '0.1.0'
    phase = 'whole'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not dialect.needs_user_message or not history.messages or history.contents.prompts:
            return []
        return [self.finding(Location(0), 'There is no message by the user.')]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        first = history.messages[0]
        anchor = UserPromptPart(ANCHOR, timestamp=first.timestamp or datetime.fromtimestamp(0, UTC))
        if isinstance(first, ModelRequest):
            edits.replace_message(0, replace(first, parts=[*first.parts, anchor]))
        else:
            edits.insert_message(0, ModelRequest(parts=[anchor]))
        return [Repair(finding=finding, action='added') for finding in findings]
