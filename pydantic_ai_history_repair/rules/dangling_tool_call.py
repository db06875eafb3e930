from __future__ import annotations

from typing import Final

from pydantic_ai.messages import ModelResponse, ToolReturnPart

from .._compat import INTERRUPTED_KEEPS_TOOL_KIND, INTERRUPTED_OUTCOME
from .._edits import Edits
from .._findings import Finding, Repair
from .._history import SYNTHESIZED_KEY, History
from ._base import Rule

INTERRUPTED_CONTENT: Final = 'The tool call was interrupted before a result was produced.'
"""Core's own words, so that upgrading core or removing this package never rewrites a stored conversation."""


class DanglingToolCall(Rule):
    """A tool call that no later message answers.

    ## Why providers reject it

    Every provider wants each call answered before the conversation goes on. Anthropic: "`tool_use` ids were found
    without `tool_result` blocks immediately after". OpenAI Chat: "An assistant message with 'tool_calls' must be
    followed by tool messages". OpenAI Responses: "No tool output found for function call". It comes from a run that
    was cancelled or crashed while a tool ran, a store that lost its last messages, or a history processor that trims
    a result but not its call.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
            ModelRequest(parts=[UserPromptPart('Never mind.')]),
        ]
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR101 /1/parts/0 synthesized
    print(report.messages[2].parts[0].content)
    #> The tool call was interrupted before a result was produced.
    ```

    ## What the repair does

    It adds a tool return after the other results of the same response, with the text, metadata marker, outcome and
    timestamp that Pydantic AI itself uses from 2.10. Nothing in it depends on the clock, so the same history always
    gives the same bytes.

    ## What it never does

    It never removes the call, not even one whose arguments were cut off, and never touches native tool calls. It
    leaves the last response's calls alone where they can still be answered: see `repair_last_response`.

    ## Dialects

    All.
    """

    code = 'HR101'
    name = 'dangling-tool-call'
    since = '0.1.0'

    def check(self, history: History) -> list[Finding]:
        live = None if history.terms.repair_last_response else history.pairing.last_response
        return [
            self.finding(
                location,
                f'Tool call {call.tool_call_id!r} to {call.tool_name!r} is never answered.',
                about=call,
            )
            for location in history.pairing.dangling
            if location.message != live
            for call in [history.call(location)]
        ]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            call = history.call(finding.location)
            response = history.messages[finding.location.message]
            assert isinstance(response, ModelResponse)
            edits.answer(
                finding.location.message,
                ToolReturnPart(
                    tool_name=call.tool_name,
                    content=INTERRUPTED_CONTENT,
                    tool_call_id=call.tool_call_id,
                    tool_kind=call.tool_kind if INTERRUPTED_KEEPS_TOOL_KIND else None,
                    metadata={SYNTHESIZED_KEY: True},
                    timestamp=response.timestamp,
                    outcome=INTERRUPTED_OUTCOME,
                ),
            )
        return [Repair(finding=finding, action='synthesized') for finding in findings]
