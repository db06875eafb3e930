from __future__ import annotations

from pydantic_ai.messages import ModelResponse

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule


class DisplacedToolResult(Rule):
    """A tool result that stands later than the turn after its call.

    ## Why providers reject it

    Anthropic, OpenAI Chat, Gemini, Bedrock and Mistral want every call of a turn answered by the very next turn, so
    they read a late result as two faults: a call without result, and a result without call. It comes from a user who
    wrote while a tool was still running, or from a background job that reported after the model had gone on.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('Start the export.')]),
            ModelResponse(parts=[ToolCallPart('export', {}, tool_call_id='call_1')]),
            ModelRequest(parts=[UserPromptPart('How long will it take?')]),
            ModelResponse(parts=[TextPart('About a minute.')]),
            ModelRequest(parts=[ToolReturnPart('export', 'Done.', tool_call_id='call_1')]),
        ]
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR103 /4/parts/0 moved
    print([part.part_kind for part in report.messages[2].parts])
    #> ['tool-return', 'user-prompt']
    ```

    ## What the repair does

    It moves the result behind the other results of the turn after its call. A request that this empties goes too,
    except the last message.

    ## What it never does

    It never moves a result to a call that was answered already, nor to one whose id a later response has used again,
    and never across native parts, which it does not look at. Results for two responses in a row that are answered
    together are left where they are: providers read the two as one turn.

    ## Dialects

    All. Pydantic AI itself leaves these as they are.
    """

    code = 'HR103'
    name = 'displaced-tool-result'
    since = '0.1.0'

    def check(self, history: History) -> list[Finding]:
        return [
            self.finding(
                location,
                f'Result {result.tool_call_id!r} of {result.tool_name!r} stands after the turn that its call at {call} '
                'belongs to.',
                tool_call_id=result.tool_call_id,
                tool_name=result.tool_name,
            )
            for location, call in sorted(self._late(history).items())
            for result in [history.result(location)]
        ]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        late = self._late(history)
        for finding in findings:
            edits.answer(late[finding.location].message, finding.location)
        return [Repair(finding=finding, action='moved') for finding in findings]

    def _late(self, history: History) -> dict[Location, Location]:
        """The results to move, with the calls they answer.

        Where a result is put between two responses in a row, they are one turn no longer: the results for the first of
        the two, and for those before it, come along.
        """
        if not history.pairing.apart:
            return history.pairing.displaced
        closed = {call.message for call in (*history.pairing.displaced.values(), *history.pairing.dangling)}
        return history.pairing.displaced | {
            location: call
            for location, call in history.pairing.apart.items()
            if not closed.isdisjoint(_run_from(history, call))
        }


def _run_from(history: History, call: Location) -> range:
    """The responses in a row from a call's on, without the last of them."""
    index = call.message
    while isinstance(history.messages[index + 1], ModelResponse):
        index += 1
    return range(call.message, index)
