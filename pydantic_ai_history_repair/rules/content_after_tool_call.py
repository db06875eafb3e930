from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pydantic_ai.messages import ModelResponse, NativeToolCallPart, NativeToolReturnPart, ThinkingPart, ToolCallPart

from .._contents import is_said
from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ..dialects import Dialect
from ._base import Rule


class ContentAfterToolCall(Rule):
    """Text, thinking or a native tool's result behind a tool call of the same response.

    ## Why providers reject it

    Anthropic wants the calls of a turn at its end and otherwise says "`tool_use` ids were found without `tool_result`
    blocks immediately after". It comes from other models, which may go on after a call, and from code that puts a
    response together from several.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(
                parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1'), TextPart('Let me see.')]
            ),
            ModelRequest(parts=[ToolReturnPart('get_weather', 'Sunny.', tool_call_id='call_1')]),
        ],
        dialect='anthropic',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR206 /1/parts/1 moved
    print([part.part_kind for part in report.messages[1].parts])
    #> ['text', 'tool-call']
    ```

    ## What the repair does

    The calls move to the end of the response, in their order; everything else keeps its order too.

    ## What it never does

    It never moves a call past signed thinking, which stands for exactly what came before it: such a finding remains. Start
    a new conversation from there, or take the response out of the history.

    ## Dialects

    `anthropic`, `minimax-anthropic`, `bedrock`, `portable`.
    """

    code = 'HR206'
    name = 'content-after-tool-call'
    since = '0.1.0'
    phase = 'order'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not dialect.calls_last:
            return []
        findings: list[Finding] = []
        first: dict[int, int] = {}
        calls: Counter[int] = Counter()
        for index, position, _ in history.contents.calls:
            first.setdefault(index, position)
            calls[index] += 1
        for index, number in calls.items():
            parts = history.messages[index].parts
            if len(parts) > first[index] + number and (late := _after_a_call(parts)):
                response = history.messages[index]
                assert isinstance(response, ModelResponse)
                signed = any(_is_signed(parts[position], response, dialect) for position in late)
                text = 'Something follows a tool call of the same response.'
                if signed:
                    text += ' It is signed thinking, which cannot be moved.'
                findings.append(self.finding(Location(index, late[0]), text, fixable=not signed))
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            response = history.messages[finding.location.message]
            assert isinstance(response, ModelResponse)
            parts = sorted(response.parts, key=lambda part: isinstance(part, ToolCallPart))
            edits.replace_message(finding.location.message, replace(response, parts=parts))
        return [Repair(finding=finding, action='moved') for finding in findings]


def _is_signed(part: object, response: ModelResponse, dialect: Dialect) -> bool:
    """Whether a part is thinking that goes back with its signature; another provider's goes as text."""
    if not isinstance(part, ThinkingPart) or not part.signature:
        return False
    return (part.provider_name or response.provider_name) in dialect.own_providers


def _after_a_call(parts: Sequence[object]) -> list[int]:
    """Positions of what stands behind a tool call and is sent; a native call without a result there is still going on."""
    first = next(position for position, part in enumerate(parts) if isinstance(part, ToolCallPart))
    returned = {part.tool_call_id for part in parts if isinstance(part, NativeToolReturnPart)}
    return [
        position
        for position, part in enumerate(parts[first:], first)
        if is_said(part)
        or isinstance(part, NativeToolReturnPart)
        or (isinstance(part, NativeToolCallPart) and part.tool_call_id in returned)
    ]
