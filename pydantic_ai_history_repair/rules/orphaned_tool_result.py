from __future__ import annotations

from .._edits import Edits
from .._findings import Finding, Repair
from .._history import History
from ._base import Rule


class OrphanedToolResult(Rule):
    """A tool result whose call never appeared before it.

    ## Why providers reject it

    No provider accepts a result without its call. Anthropic: "unexpected `tool_use_id` found in `tool_result` blocks".
    OpenAI Chat: "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'". OpenAI
    Responses: "No tool call found for function call output". It comes from a context window that was cut between a
    call and its result, or from a result stored ahead of its call.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[ToolReturnPart('get_weather', 'Sunny.', tool_call_id='call_1')]),
            ModelResponse(parts=[TextPart('It is sunny.')]),
            ModelRequest(parts=[UserPromptPart('And tomorrow?')]),
        ]
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR102 /0/parts/0 removed
    print([message.kind for message in report.messages])
    #> ['response', 'request']
    ```

    ## What the repair does

    It removes the result. A request that this empties goes too, except the last message: a history that ended on a
    request still does.

    ## What it never does

    It never invents the missing call, whose arguments nobody knows, and never moves a result to a call that comes
    after it: with ids that start again at `call_1` in every turn that would hand one turn's result to another. It
    never touches native results, nor feedback that names no tool.

    ## Dialects

    All.
    """

    code = 'HR102'
    name = 'orphaned-tool-result'
    since = '0.1.0'

    def check(self, history: History) -> list[Finding]:
        return [
            self.finding(
                location,
                f'Result {result.tool_call_id!r} of {result.tool_name!r} has no call before it.',
                tool_call_id=result.tool_call_id,
                tool_name=result.tool_name,
            )
            for location in history.pairing.orphaned
            for result in [history.result(location)]
        ]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            edits.remove(finding.location)
        return [Repair(finding=finding, action='removed') for finding in findings]
