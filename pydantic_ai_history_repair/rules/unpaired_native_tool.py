from __future__ import annotations

from pydantic_ai.messages import ModelResponse, NativeToolCallPart

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule


class UnpairedNativeTool(Rule):
    """The result of a native tool without its call before it, or a second result for one call.

    ## Why providers reject it

    Anthropic: "unexpected `tool_use_id` found in `web_search_tool_result` blocks. Each `web_search_tool_result` block must
    have a corresponding `server_tool_use` block before it". It comes from a response whose parts were filtered or stored
    out of order.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, NativeToolReturnPart, TextPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('Any news?')]),
            ModelResponse(
                parts=[
                    NativeToolReturnPart('web_search', [], tool_call_id='srvtoolu_1', provider_name='anthropic'),
                    TextPart('Nothing new.'),
                ],
                provider_name='anthropic',
            ),
            ModelRequest(parts=[UserPromptPart('And now?')]),
        ],
        dialect='anthropic',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR504 /1/parts/0 removed
    print([part.part_kind for part in report.messages[1].parts])
    #> ['text']
    ```

    ## What the repair does

    It leaves the result out of what is sent: nobody can tell what was searched or run.

    ## What it never does

    It never touches stored history, a call without result (the provider may still be at it, and Pydantic AI leaves it out
    where it is not), or native parts of another provider, which are not sent.

    ## Dialects

    `anthropic`, `minimax-anthropic`, `portable`.
    """

    code = 'HR504'
    name = 'unpaired-native-tool'
    since = '0.1.0'
    phase = 'parts'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not dialect.pairs_native_tools:
            return []
        findings: list[Finding] = []
        called: set[str] = set()
        for message, position, part in history.contents.native:
            response = history.messages[message]
            assert isinstance(response, ModelResponse)
            if (part.provider_name or response.provider_name) not in dialect.own_providers:
                continue
            if isinstance(part, NativeToolCallPart):
                called.add(part.tool_call_id)
            elif part.tool_call_id in called:
                called.remove(part.tool_call_id)
            else:
                text = f'The result {part.tool_call_id!r} of the native tool {part.tool_name!r} has no call before it.'
                findings.append(self.finding(Location(message, position), text, about=part))
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            edits.remove(finding.location)
        return [Repair(finding=finding, action='removed') for finding in findings]
