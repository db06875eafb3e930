from __future__ import annotations

from .._compat import with_fields
from .._edits import Edits
from .._findings import Finding, Repair
from .._history import History
from ._base import Rule


class ToolNameMismatch(Rule):
    """A tool result that names another tool than the call it answers.

    ## Why providers reject it

    Gemini matches function responses with function calls by their names and refuses the request when they differ
    (400 INVALID_ARGUMENT). It comes from a tool that was renamed while a conversation was stored, and from a prefix that
    one store keeps and another does not.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
            ModelRequest(parts=[ToolReturnPart('weather_get_weather', 'Sunny.', tool_call_id='call_1')]),
        ],
        dialect='google',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR303 /2/parts/0 renamed
    print(report.messages[2].parts[0].tool_name)
    #> get_weather
    ```

    ## What the repair does

    The result takes the name of its call.

    ## What it never does

    It never changes the name of a call, and never decides by names which call a result answers.

    ## Dialects

    `google`, `google-vertex`, `portable`. No other API sends the name of a result.
    """

    code = 'HR303'
    name = 'tool-name-mismatch'
    since = '0.1.0'
    phase = 'parts'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not dialect.results_name_their_call or _all_match(history):
            return []
        return [
            self.finding(
                answer,
                f'The result of tool call {result.tool_call_id!r} names {result.tool_name!r}, its call {call.tool_name!r}.',
                about=result,
            )
            for place, answer in history.answers
            for call, result in [(history.call(place), history.result(answer))]
            if call.tool_name != result.tool_name
        ]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        calls = {answer: call for call, answer in history.answers}
        for finding in findings:
            name = edits.part(calls[finding.location]).tool_name
            edits.replace(finding.location, with_fields(edits.part(finding.location), tool_name=name))
        return [Repair(finding=finding, action='renamed') for finding in findings]


def _all_match(history: History) -> bool:
    """Whether a glance shows that each result has the name of its call: where no id is used twice."""
    names = {call.tool_call_id: call.tool_name for _, _, call in history.contents.calls}
    return len(names) == len(history.contents.calls) and all(
        names.get(result.tool_call_id, result.tool_name) == result.tool_name
        for _, _, result in history.contents.results
    )
