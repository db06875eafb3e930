from __future__ import annotations

from .._edits import Edits
from .._findings import Finding, Repair
from .._history import History
from .._tool_call_ids import ids_in, new_id, rename
from ._base import Rule


class EmptyToolCallId(Rule):
    """A tool call without an id.

    ## Why providers reject it

    OpenAI Responses: "Invalid 'input[4].call_id': empty string". Anthropic: "String should match pattern". Pydantic AI
    puts a random id in the place of an empty one, a different one for the call and for its result, so they no longer
    belong together. It comes from local models and gateways that leave ids out.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='')]),
            ModelRequest(parts=[ToolReturnPart('get_weather', 'Sunny.', tool_call_id='')]),
        ]
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR106 /1/parts/0 renamed
    print(report.messages[1].parts[0].tool_call_id == report.messages[2].parts[0].tool_call_id != '')
    #> True
    ```

    ## What the repair does

    Call and result get the same id, which depends only on the tool and on how many calls without id came before. Calls
    and results are matched by their place: the first result answers the first call.

    ## What it never does

    It never gives an id to a call that may still be answered under the empty one: such a finding remains. Answer those
    calls, or start the run with `deferred_tool_results` for them.

    ## Dialects

    All.
    """

    code = 'HR106'
    name = 'empty-tool-call-id'
    since = '0.1.0'
    phase = 'ids'

    def check(self, history: History) -> list[Finding]:
        if not history.pairing.reuses_ids:
            return []
        return [
            self.finding(
                call,
                f'A tool call to {part.tool_name!r} has no id.',
                about=part,
                fixable=call.message != history.frontier
                and not any(result.message >= history.live_from for result in results),
            )
            for call, results in history.matches('').items()
            for part in [history.call(call)]
        ]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        taken = ids_in(history)
        found = {finding.location for finding in findings}
        for number, (call, results) in enumerate(history.matches('').items()):
            if call in found:
                id = new_id('call', f'{history.call(call).tool_name}:{number}', taken)
                rename(edits, history, call, results, id)
        return [Repair(finding=finding, action='renamed') for finding in findings]
