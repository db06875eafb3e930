from __future__ import annotations

from pydantic_ai.messages import ModelResponse, ThinkingPart, ToolCallPart

from .._compat import is_tool_result
from .._findings import Finding, Location
from .._history import History
from ._base import Rule


class UnthinkingToolLoop(Rule):
    """A tool loop that is still going on and has no signed thinking, while thinking is switched on.

    ## Why providers reject it

    Claude: "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final
    `assistant` message must start with a thinking block". It comes from a switch to Claude, or to thinking, in the middle
    of a tool loop, and from a client that lost the signatures.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import check_history

    messages = [
        ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
        ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
        ModelRequest(parts=[ToolReturnPart('get_weather', 'Sunny.', tool_call_id='call_1')]),
    ]
    print(check_history(messages, dialect='anthropic'))  # whether thinking is on is up to the request
    #> []
    ```

    ## What the repair does

    Nothing: a signature cannot be made up. The finding is among `report.remaining` and counted on the span. Switch
    thinking off until the loop is over, or add a user message behind the results.

    ## What it never does

    It never looks at a history that is not being sent: only the request says whether the model thinks.

    ## Dialects

    `anthropic`, `bedrock`, in the capability.
    """

    code = 'HR505'
    name = 'unthinking-tool-loop'
    since = '0.1.0'
    phase = 'whole'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect, request = history.terms.dialect, history.terms.request
        if dialect is None or request is None or not (dialect.thinking_opens_tool_loop and request.thinks):
            return []
        calling: list[int] = []
        for index in range(len(history.messages) - 1, -1, -1):
            message = history.messages[index]
            if isinstance(message, ModelResponse):
                if any(isinstance(part, ToolCallPart) for part in message.parts):
                    calling.append(index)
            elif not any(map(is_tool_result, message.parts)):
                break  # the user spoke: what came before is over
        if not calling or any(_starts_with_thinking(history.messages[index]) for index in calling):
            return []
        text = 'Thinking is on, but the tool loop that is going on has none: switch it off until the loop is over.'
        return [self.finding(Location(calling[0]), text, fixable=False)]


def _starts_with_thinking(response: object) -> bool:
    assert isinstance(response, ModelResponse)
    first = response.parts[0]
    return isinstance(first, ThinkingPart) and bool(first.signature)
