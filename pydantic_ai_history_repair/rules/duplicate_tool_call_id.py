from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from .._tool_call_ids import ids_in, new_id, rename
from ._base import Rule


class DuplicateToolCallId(Rule):
    """A tool call with the id of an earlier one.

    ## Why providers reject it

    Anthropic, for two calls of one turn: "`tool_use` ids must be unique". OpenAI Responses and MiniMax want an id once
    in the whole request: "Duplicate function_call_output for call_id". It comes from models and gateways that count
    their calls from one again in every response, and from a turn that was stored twice.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('The weather in Paris and in Rome?')]),
            ModelResponse(
                parts=[
                    ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1'),
                    ToolCallPart('get_weather', {'city': 'Rome'}, tool_call_id='call_1'),
                ]
            ),
            ModelRequest(
                parts=[
                    ToolReturnPart('get_weather', 'Sunny.', tool_call_id='call_1'),
                    ToolReturnPart('get_weather', 'Rainy.', tool_call_id='call_1'),
                ]
            ),
        ]
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR105 /1/parts/1 renamed
    print([part.tool_call_id for part in report.messages[2].parts])
    #> ['call_1', 'call_1_afd4d6fd']
    ```

    ## What the repair does

    The later call gets an id of its own, made of the old one and a hash, and so does the result that answers it. Calls
    and results are matched by their place: the first result answers the first call. Ids that are used again in a later
    turn are changed only for a dialect that wants them distinct in the whole request, and never in stored history.

    ## What it never does

    It never goes by the id alone, so no result changes hands. It never renames a call that may still be answered under
    its old id: such a finding remains. Answer those calls, or start the run with `deferred_tool_results` for them.

    ## Dialects

    All for two calls of one turn; `openai-responses`, `minimax`, `minimax-anthropic` and `portable` for the whole request.
    """

    code = 'HR105'
    name = 'duplicate-tool-call-id'
    since = '0.1.0'
    phase = 'ids'

    def check(self, history: History) -> list[Finding]:
        findings: list[Finding] = []
        for tool_call_id in self._repeated(history):
            matches = history.matches(tool_call_id)
            for call in self._later(history, matches):
                part = history.call(call)
                live = call.message == history.frontier or any(
                    result.message >= history.live_from for result in matches[call]
                )
                findings.append(
                    self.finding(
                        call,
                        f'Tool call {part.tool_call_id!r} to {part.tool_name!r} has the id of an earlier call.',
                        about=part,
                        fixable=not live,
                    )
                )
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        taken = ids_in(history)
        for tool_call_id in dict.fromkeys(finding.tool_call_id for finding in findings):
            matches = history.matches(str(tool_call_id))
            found = {finding.location for finding in findings}
            for number, (call, results) in enumerate(matches.items()):
                if call in found:
                    stem = str(tool_call_id).partition('|')[0]  # OpenAI's adapter takes what follows for an item id
                    id = new_id(stem or 'call', f'{tool_call_id}:{number}', taken)
                    rename(edits, history, call, results, id)
        return [Repair(finding=finding, action='renamed') for finding in findings]

    def _repeated(self, history: History) -> list[str]:
        """The ids that more than one call has. An empty one is another rule's."""
        if not (history.pairing.reuses_ids or (history.is_sound and self._over_all_turns(history))):
            return []  # the pairing of a sound history is not worked out, and no turn of it has an id twice
        ids = [call.tool_call_id for _, _, call in history.contents.calls]
        if len(set(ids)) == len(ids):
            return []
        return [id for id, number in Counter(ids).items() if number > 1 and id]

    def _later(self, history: History, matches: Mapping[Location, Sequence[Location]]) -> list[Location]:
        calls = list(matches)
        if self._over_all_turns(history):
            return calls[1:]
        repeated = history.repeated_in_turn(matches)
        return [call for call in calls if call in repeated]

    def _over_all_turns(self, history: History) -> bool:
        dialect = history.terms.dialect
        return dialect is not None and dialect.distinct_tool_call_ids
