from __future__ import annotations

from typing import Any

from pydantic_ai.messages import ToolReturnPart

from .._compat import is_untyped_result, retry_text, with_content
from .._edits import Edits
from .._findings import Finding, Repair
from .._history import History, is_synthesized
from ._base import Rule


class DuplicateToolResult(Rule):
    r"""A tool result for a call that an earlier result has answered.

    ## Why providers reject it

    Anthropic: "each `tool_use` must have a single result". Gemini wants as many function responses as function calls,
    and a repeat in a later turn has no call there at all. It comes from a tool that was run again after a crash, a
    store that wrote a message twice, or a real result that arrived after its call had been closed as interrupted.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('Read both logs.')]),
            ModelResponse(parts=[ToolCallPart('read_logs', {}, tool_call_id='call_1')]),
            ModelRequest(
                parts=[
                    ToolReturnPart('read_logs', 'first half', tool_call_id='call_1'),
                    ToolReturnPart('read_logs', 'second half', tool_call_id='call_1'),
                ]
            ),
        ]
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR104 /2/parts/1 joined
    print(repr(report.messages[2].parts[0].content))
    #> 'first half\nsecond half'
    ```

    ## What the repair does

    One result is left, in the place of the first. An exact copy is removed. A real result takes the place of a
    synthesized one. Different real results become one: texts are joined by a line break, anything else becomes a list
    in their order, and the last outcome stands.

    ## What it never does

    It never loses what a tool answered, and never joins a result of another tool: that one's own call is gone, and it
    is removed as an orphan would be. The typed results of Pydantic AI's own tools (tool search, capability loading)
    are not joined either: the latest stands.

    ## Dialects

    All. Pydantic AI itself sends both.
    """

    code = 'HR104'
    name = 'duplicate-tool-result'
    since = '0.1.0'

    def check(self, history: History) -> list[Finding]:
        return [
            self.finding(
                location,
                f'Result {result.tool_call_id!r} of {result.tool_name!r} answers the call at {repeat.call} again, '
                f'after the result at {repeat.answer}.',
                tool_call_id=result.tool_call_id,
                tool_name=result.tool_name,
            )
            for location, repeat in history.pairing.repeated.items()
            for result in [history.result(location)]
        ]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        repairs: list[Repair] = []
        for finding in findings:
            repeat = history.pairing.repeated[finding.location]
            first, again = edits.result(repeat.answer), history.result(finding.location)
            edits.remove(finding.location)
            same_content = type(first) is type(again) and _equal(first.content, again.content)
            same = same_content and getattr(first, 'outcome', None) == getattr(again, 'outcome', None)
            if history.call(repeat.call).tool_name != again.tool_name or is_synthesized(again) or same:
                action = 'removed'
            elif is_synthesized(first) or same_content:
                edits.replace_result(repeat.answer, again)
                action = 'replaced'
            else:
                edits.replace_result(repeat.answer, _joined(first, again))
                action = 'joined'
            repairs.append(Repair(finding=finding, action=action))
        return repairs


def _equal(first: object, again: object) -> bool:
    try:
        return bool(first == again)
    except Exception:  # a tool may return anything, arrays that compare to an array among it
        return False


def _joined(first: ToolReturnPart, again: ToolReturnPart) -> ToolReturnPart:
    if not (is_untyped_result(first) and is_untyped_result(again)):
        return again
    # The one that is left is a return if either is: a retry prompt would make the model try again.
    kept = first if retry_text(first) is None and retry_text(again) is not None else again
    contents = [_content(first), _content(again)]
    if all(isinstance(content, str) for content in contents):
        return with_content(kept, '\n'.join(contents))
    items: list[Any] = []
    for content in contents:
        items += content if isinstance(content, list) else [content]
    return with_content(kept, items)


def _content(part: ToolReturnPart) -> Any:
    text = retry_text(part)
    return part.content if text is None else text
