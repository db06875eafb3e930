from __future__ import annotations

from .._compat import with_fields
from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from .._tool_call_ids import fitted, ids_in
from ._base import Rule


class ToolCallIdFormat(Rule):
    """A tool call id with characters or a length that the provider does not take.

    ## Why providers reject it

    Anthropic: "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'". OpenAI: "string too long. Expected a string
    with maximum length 64". Mistral: "must be a-z, A-Z, 0-9, with a length of 9". It comes from a conversation that was
    begun with another provider: Kimi's ids have dots and colons, some gateways put a whole signature into an id.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='functions.get_weather:0')]),
            ModelRequest(parts=[ToolReturnPart('get_weather', 'Sunny.', tool_call_id='functions.get_weather:0')]),
        ],
        dialect='anthropic',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR301 /1/parts/0 renamed
    print([part.tool_call_id for message in report.messages[1:] for part in message.parts])
    #> ['functions_get_weather_0_79ac1aaa', 'functions_get_weather_0_79ac1aaa']
    ```

    ## What the repair does

    The id is rewritten on the call and on all that belongs to it: other characters become `_`, and a hash of the whole
    id is added, so that two ids never become one. The same id always gives the same new one, in this and any later
    request. Stored history keeps the old ids.

    ## What it never does

    It never changes an id that fits, nor the id of a native tool's call. With `repair_last_response=False` it leaves the
    calls alone that may still be answered: such a finding remains.

    ## Dialects

    Letters, digits, `_` and `-`: `anthropic`, `bedrock` and `portable`; also `.` and `:` with `bedrock-nova`. No more than
    64 characters: `openai-chat` and its relatives, `openai-responses`, Bedrock. Nine letters or digits:
    `mistral-compatible`; `MistralModel` sees to that itself.
    """

    code = 'HR301'
    name = 'tool-call-id-format'
    since = '0.1.0'
    phase = 'parts'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or dialect.tool_call_id is None:
            return []
        fits = dialect.tool_call_id.pattern.fullmatch
        findings: list[Finding] = []
        for message, position, call in history.contents.calls:
            if not fits(call.tool_call_id):
                text = f'The id {call.tool_call_id!r} of a call to {call.tool_name!r} does not fit {dialect.title}.'
                live = message == history.frontier
                findings.append(self.finding(Location(message, position), text, about=call, fixable=not live))
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        assert history.terms.dialect
        format = history.terms.dialect.tool_call_id
        assert format
        taken = ids_in(history)
        new: dict[str, str] = {}
        for finding in findings:
            id = str(finding.tool_call_id)
            if id not in new:
                new[id] = fitted(id, format, taken)
        places = {place[:2] for place in (*history.contents.calls, *history.contents.results)}
        end = len(history.messages) if history.frontier is None else history.frontier
        for index, message in enumerate(history.messages[:end]):
            for position, part in enumerate(message.parts):
                id = getattr(part, 'tool_call_id', None)
                if id not in new or not ((index, position) in places or _is_delta(part)):
                    continue
                location = Location(index, position)
                edits.replace(location, with_fields(edits.part(location), tool_call_id=new[id]))
        return [Repair(finding=finding, action='renamed') for finding in findings]


def _is_delta(part: object) -> bool:
    return getattr(part, 'part_kind', None) == 'tool-availability-delta'
