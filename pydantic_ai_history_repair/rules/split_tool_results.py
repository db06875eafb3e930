from __future__ import annotations

from pydantic_ai.messages import ModelRequest

from .._compat import is_tool_result
from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule


class SplitToolResults(Rule):
    """Tool results of one turn in several requests that cannot be merged.

    ## Why providers reject it

    Two requests in a row become one, but not if their instructions differ. A result in the second then stands behind what
    the user said in the first. OpenAI Chat: "An assistant message with 'tool_calls' must be followed by tool messages".
    Anthropic: "`tool_use` ids were found without `tool_result` blocks immediately after". It comes from an agent with
    dynamic instructions that was given a word of the user while its tools ran.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
            ModelRequest(parts=[UserPromptPart('In Celsius.')], instructions='It is noon.'),
            ModelRequest(
                parts=[ToolReturnPart('get_weather', 'Sunny.', tool_call_id='call_1'), UserPromptPart('Well?')],
                instructions='It is one.',
            ),
        ],
        dialect='anthropic',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR203 /3/parts/0 moved
    print([[part.part_kind for part in message.parts] for message in report.messages[2:]])
    #> [['tool-return', 'user-prompt'], ['user-prompt']]
    ```

    ## What the repair does

    The result moves behind the results of the first request after its call. Both requests keep their instructions.

    ## What it never does

    It never touches results that directly follow one another in two requests: those are accepted as they are, except on
    Vertex AI.

    ## Dialects

    All but `openai-responses`.
    """

    code = 'HR203'
    name = 'split-tool-results'
    since = '0.1.0'
    phase = 'gathering'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not dialect.results_first or history.is_sound:
            return []
        findings: list[Finding] = []
        neighbours = set(history.neighbours)
        split = answers = False
        for index in history.neighbours:
            before, message = history.messages[index - 1], history.messages[index]
            if not isinstance(message, ModelRequest) or index >= history.live_from:
                continue
            if index - 1 not in neighbours:  # the run begins with the message before
                split, answers = False, index > 1
            split = split or not all(map(is_tool_result, before.parts))
            for position, part in enumerate(message.parts):
                if answers and is_tool_result(part) and (split or dialect.results_in_one_request):
                    text = (
                        f'The result of tool call {part.tool_call_id!r} is in another request than the first after it.'
                    )
                    findings.append(self.finding(Location(index, position), text, about=part))
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            first = finding.location.message
            while first and isinstance(history.messages[first], ModelRequest):
                first -= 1
            edits.answer(first, finding.location)
        return [Repair(finding=finding, action='moved') for finding in findings]
