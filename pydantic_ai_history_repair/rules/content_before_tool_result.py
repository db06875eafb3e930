from __future__ import annotations

from dataclasses import replace

from pydantic_ai.messages import ModelRequest

from .._compat import is_tool_result
from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule


class ContentBeforeToolResult(Rule):
    """Something ahead of the tool results in the request that answers calls.

    ## Why providers reject it

    Claude on Bedrock: "Messages following `tool_use` blocks must begin with a matching number of `tool_result` blocks".
    DeepSeek: "insufficient tool messages following tool_calls message". It comes from a system note or a user's word that
    was put into the request before the tools had finished.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
            ModelRequest(
                parts=[UserPromptPart('In Celsius.'), ToolReturnPart('get_weather', 'Sunny.', tool_call_id='call_1')]
            ),
        ],
        dialect='deepseek',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR202 /2 moved
    print([part.part_kind for part in report.messages[2].parts])
    #> ['tool-return', 'user-prompt']
    ```

    ## What the repair does

    The results come first, everything else behind them, each in the order it had.

    ## What it never does

    It never adds or loses a part, nor moves one to another request.

    ## Dialects

    All but `openai-responses`, which matches calls and outputs over any distance. Pydantic AI does the same from 2.64 on.
    """

    code = 'HR202'
    name = 'content-before-tool-result'
    since = '0.1.0'
    phase = 'order'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not dialect.results_first or history.is_sound:
            return []
        return [
            self.finding(Location(index), 'Something stands before the tool results of a request.')
            for index, message in enumerate(history.messages)
            if isinstance(message, ModelRequest) and index and _has_late_results(message)
        ]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            request = history.messages[finding.location.message]
            parts = sorted(request.parts, key=lambda part: not is_tool_result(part))
            edits.replace_message(finding.location.message, replace(request, parts=parts))
        return [Repair(finding=finding, action='moved') for finding in findings]


def _has_late_results(request: ModelRequest) -> bool:
    results = [is_tool_result(part) for part in request.parts]
    return any(results) and not all(results[: sum(results)])
