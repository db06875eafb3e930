from __future__ import annotations

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule


class ToolsNotDeclared(Rule):
    """Tool calls in the history of a request that declares no tools.

    ## Why providers reject it

    Bedrock: "The toolConfig field must be defined when using toolUse and toolResult content blocks". Anthropic: "Requests
    which include `tool_use` or `tool_result` blocks must define tools". It comes from a conversation that is handed on to
    an agent without tools: one that summarises, or a last resort.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import check_history

    messages = [
        ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
        ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
        ModelRequest(parts=[ToolReturnPart('get_weather', 'Sunny.', tool_call_id='call_1')]),
    ]
    print(check_history(messages, dialect='bedrock'))  # which tools there are is up to the request
    #> []
    ```

    ## What the repair does

    The capability declares the tools that the history names, with a note that they are not available, and asks the model
    not to call one. The messages stay as they are, so the cached prefix does too.

    ## What it never does

    It never makes a tool executable: a declared name has no function behind it, and a call of it is answered with an error
    by Pydantic AI. It never looks at a history that is not being sent.

    ## Dialects

    `anthropic`, `minimax-anthropic`, Bedrock, in the capability.
    """

    code = 'HR601'
    name = 'tools-not-declared'
    since = '0.1.0'
    phase = 'whole'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect, request = history.terms.dialect, history.terms.request
        if dialect is None or request is None or not dialect.declares_tools or request.declares_tools:
            return []
        if not history.contents.calls:
            return []
        location = Location(*history.contents.calls[0][:2])
        return [self.finding(location, 'There are tool calls in the history, but the request declares no tools.')]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        edits.declare(call.tool_name for _, _, call in history.contents.calls)
        return [Repair(finding=finding, action='declared') for finding in findings]
