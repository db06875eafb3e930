from __future__ import annotations

from dataclasses import replace
from typing import Final

from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart

from .._compat import is_tool_result
from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule

_BRIDGE: Final = 'OK'
"""What `MistralModel` says there itself."""


class UserAfterToolResult(Rule):
    """Words of the user directly after tool results.

    ## Why providers reject it

    Mistral's models want to speak themselves after a tool: "Unexpected role 'user' after role 'tool'". MiniMax takes no
    text in the message that holds results: "tool call result does not follow tool call". It comes from a user who writes
    while tools run, and from every call that was closed as interrupted before a new prompt.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call00001')]),
            ModelRequest(
                parts=[ToolReturnPart('get_weather', 'Sunny.', tool_call_id='call00001'), UserPromptPart('And Rome?')]
            ),
        ],
        dialect='mistral-compatible',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR207 /2/parts/1 added
    print([[part.part_kind for part in message.parts] for message in report.messages[2:]])
    #> [['tool-return'], ['text'], ['user-prompt']]
    ```

    ## What the repair does

    It puts a response that says `OK` between the results and what follows them.

    ## What it never does

    It never loses a word, and never does this in stored history.

    ## Dialects

    `mistral-compatible` and `minimax-anthropic`. `MistralModel` does the same itself.
    """

    code = 'HR207'
    name = 'user-after-tool-result'
    since = '0.1.0'
    phase = 'ends'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not dialect.results_alone:
            return []
        findings: list[Finding] = []
        begun = answered = False
        for index, message in enumerate(history.messages[: history.live_from]):
            if isinstance(message, ModelResponse):
                begun, answered = True, False
                continue
            for position, part in enumerate(message.parts):
                if is_tool_result(part):
                    answered = begun
                elif answered:
                    findings.append(
                        self.finding(Location(index, position), 'The user speaks directly after tool results.')
                    )
                    answered = False
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            index, position = finding.location
            request = history.messages[index]
            assert isinstance(request, ModelRequest)
            asked = max(at for at in range(index) if isinstance(history.messages[at], ModelResponse))
            timestamp = history.messages[asked].timestamp
            assert timestamp is not None
            bridge = ModelResponse(parts=[TextPart(_BRIDGE)], timestamp=timestamp)
            results = [replace(request, parts=request.parts[:position])] if position else []
            edits.replace_message(index, *results, bridge, replace(request, parts=request.parts[position:]))
        return [Repair(finding=finding, action='added') for finding in findings]
