from __future__ import annotations

from collections.abc import Sequence

from pydantic_ai.messages import ModelMessage, ModelResponse

from .._contents import is_said
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

    It never moves a result to a call that was answered already, nor to one whose id a later response has used again.
    It leaves the results after the last response alone while a call of that response may still be answered. In stored
    history, results for two responses in a row that are answered together stay where they are: Anthropic and Gemini read
    the two as one turn.

    ## Dialects

    All. For those that answer each response by itself (OpenAI Chat and its relatives, Mistral) the results for two
    responses in a row are moved between the two; for Anthropic and Claude on Bedrock too, if the later one says something
    after the calls. Pydantic AI itself leaves these as they are.
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
                about=result,
            )
            for location, call in self._late(history).items()
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
        pairing = history.pairing
        late = dict(pairing.displaced)
        if pairing.apart:
            closed = {call.message for call in (*late.values(), *pairing.dangling)}
            parted = _parted_from_their_turn(history.messages, closed | _ended_by_their_calls(history))
            late |= {result: call for result, call in pairing.apart.items() if call.message in parted}
        return {result: call for result, call in sorted(late.items()) if result.message < history.live_from}


def _ended_by_their_calls(history: History) -> set[int]:
    """The responses that the dialect wants answered before the next one in a row."""
    dialect = history.terms.dialect
    if dialect is None or not (dialect.answers_each_response or dialect.calls_last):
        return set()
    responses = {call.message for call in history.pairing.apart.values()}
    if dialect.answers_each_response:
        return responses
    return {response for response in responses if _said_in_a_row(history.messages, response + 1)}


def _said_in_a_row(messages: Sequence[ModelMessage], index: int) -> bool:
    """Whether responses in a row from an index on hold more than calls."""
    while index < len(messages) and isinstance(message := messages[index], ModelResponse):
        if any(is_said(part) for part in message.parts):
            return True
        index += 1
    return False


def _parted_from_their_turn(messages: Sequence[ModelMessage], closed: set[int]) -> set[int]:
    """The responses with a result put between them, or a later one of their run, and the next response."""
    parted: set[int] = set()
    following: ModelMessage | None = None
    for index in range(len(messages) - 1, -1, -1):
        in_a_row = isinstance(messages[index], ModelResponse) and isinstance(following, ModelResponse)
        if in_a_row and (index in closed or index + 1 in parted):
            parted.add(index)
        following = messages[index]
    return parted
