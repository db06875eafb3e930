from __future__ import annotations

import re
from typing import Final

from .._compat import with_fields
from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from .._tool_call_ids import digest
from ..dialects import NameFormat
from ._base import Rule

_UNNAMED: Final = 'unnamed_tool'


class ToolNameFormat(Rule):
    """A call to a tool whose name has characters or a length that the provider does not take.

    ## Why providers reject it

    OpenAI: "Invalid 'messages[9].tool_calls[0].function.name': string does not match pattern". Bedrock: "Member must
    satisfy regular expression pattern". It comes from a model that makes up a tool, such as `search.evidence`: the call
    is answered with an error, and from then on every request holds the name.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('Is that so?')]),
            ModelResponse(parts=[ToolCallPart('search.evidence', {}, tool_call_id='call_1')]),
            ModelRequest(parts=[ToolReturnPart('search.evidence', 'No such tool.', tool_call_id='call_1')]),
        ],
        dialect='openai-chat',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR302 /1/parts/0 renamed
    print([part.tool_name for message in report.messages[1:] for part in message.parts])
    #> ['search_evidence', 'search_evidence']
    ```

    ## What the repair does

    Every other character becomes `_`, on calls and results alike. A name that is too long is cut and gets a hash of the
    whole; an empty one becomes `unnamed_tool`.

    ## What it never does

    It never changes what the tool was called with or what it returned, nor the names of tools that the request declares.
    With `repair_last_response=False` it leaves the calls alone that may still be executed, since the new name may be that of
    a tool: such a finding remains.

    ## Dialects

    `anthropic`, `openai-chat` and its relatives, `openai-responses`, Bedrock, `portable`.
    """

    code = 'HR302'
    name = 'tool-name-format'
    since = '0.1.0'
    phase = 'parts'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or dialect.tool_name is None:
            return []
        fits = dialect.tool_name.pattern.fullmatch
        findings: list[Finding] = []
        for message, position, call in history.contents.calls:
            if not fits(call.tool_name):
                text = f'The name {call.tool_name!r} of a called tool does not fit {dialect.title}.'
                live = message == history.frontier  # under another name it may be a tool that there is
                findings.append(self.finding(Location(message, position), text, about=call, fixable=not live))
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        assert history.terms.dialect
        format = history.terms.dialect.tool_name
        assert format
        new = {finding.tool_name: _fitted(str(finding.tool_name), format) for finding in findings}
        end = len(history.messages) if history.frontier is None else history.frontier
        for message, position, _ in (*history.contents.calls, *history.contents.results):
            location = Location(message, position)
            part = edits.part(location)
            if part.tool_name in new and message < end:
                edits.replace(location, with_fields(part, tool_name=new[part.tool_name]))
        return [Repair(finding=finding, action='renamed') for finding in findings]


def _fitted(name: str, format: NameFormat) -> str:
    fitted = re.sub(f'[^{format.characters}]', '_', name) or _UNNAMED
    return fitted if len(fitted) <= format.longest else f'{fitted[: format.longest - 9]}_{digest(name, 8)}'
