from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai.messages import ToolReturnPart

from .._compat import is_untyped_result, retry_text, with_fields
from .._edits import Edits
from .._findings import Finding, Location, Repair
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
    synthesized one. Different real results become one: texts are joined by a line break, anything else becomes one
    list in their order, and of the typed results of Pydantic AI's own tools (tool search, capability loading) the union
    is left. The outcome and the metadata are those of the last return.

    ## What it never does

    It never loses what the tool answered, and never joins a result of another tool: that one's own call is gone, or can
    no longer be answered since its id has been used again, and the result is removed as an orphan would be. It leaves the results after the last response alone while a call of that
    response may still be answered.

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
                about=result,
            )
            for location, repeat in history.pairing.repeated.items()
            if location.message < history.live_from
            for result in [history.result(location)]
        ]

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        repeats: dict[Location, list[Location]] = {}
        for finding in findings:
            repeats.setdefault(history.pairing.repeated[finding.location].answer, []).append(finding.location)
            edits.remove(finding.location)
        actions: dict[Location, str] = {}
        for answer, again in repeats.items():
            tool_name = history.call(history.pairing.repeated[again[0]].call).tool_name
            answers = {location: history.result(location) for location in (answer, *again)}
            kept = _distinct(_worth_keeping(answers, tool_name))
            left = _joined(list(kept.values()))
            if left is not answers[answer]:
                edits.replace(answer, left)
            for location in again:
                actions[location] = 'removed' if location not in kept else 'replaced' if len(kept) == 1 else 'joined'
        return [Repair(finding=finding, action=actions[finding.location]) for finding in findings]


_Results = dict[Location, ToolReturnPart]


def _worth_keeping(results: _Results, tool_name: str) -> _Results:
    """Those of the call's own tool before others, real ones before synthesized ones, typed ones before text."""
    results = {place: part for place, part in results.items() if part.tool_name == tool_name} or results
    results = {place: part for place, part in results.items() if not is_synthesized(part)} or results
    return {place: part for place, part in results.items() if not is_untyped_result(part)} or results


def _distinct(results: _Results) -> _Results:
    """One of each content, the latest: it has the outcome that stands."""
    found: dict[tuple[type, bytes], tuple[Location, ToolReturnPart]] = {}
    for location, part in results.items():
        key = type(part), _anything().dump_json(part.content, fallback=repr)
        earlier = found.get(key)
        if earlier is None or getattr(earlier[1], 'outcome', None) != getattr(part, 'outcome', None):
            found[key] = location, part
    return dict(found.values())


def _joined(results: list[ToolReturnPart]) -> ToolReturnPart:
    if len(results) == 1:
        return results[0]
    if not is_untyped_result(results[0]):
        return with_fields(results[-1], content=_union([part.content for part in results]))
    # The one that is left is a return if any is: a retry prompt would make the model try again.
    kept = next((part for part in reversed(results) if retry_text(part) is None), results[-1])
    contents = [_content(part) for part in results]
    if all(isinstance(content, str) for content in contents):
        return with_fields(kept, content='\n'.join(filter(None, contents)))
    items: list[Any] = []
    for content in contents:
        items += content if isinstance(content, list) else [content]
    return with_fields(kept, content=items)


def _content(part: ToolReturnPart) -> Any:
    text = retry_text(part)
    return part.content if text is None else text


def _union(contents: list[Any]) -> Any:
    """What core's own tools returned, together: lists are joined without repeats, of anything else the latest stands."""
    union: dict[str, Any] = {}
    for content in contents:
        if not isinstance(content, dict):
            return contents[-1]
        fields: dict[str, Any] = {**content}
        for name, value in fields.items():
            union[name] = _without_repeats([*union.get(name, []), *value]) if isinstance(value, list) else value
    return union


def _without_repeats(items: list[Any]) -> list[Any]:
    return [item for index, item in enumerate(items) if item not in items[:index]]


@cache
def _anything() -> TypeAdapter[Any]:
    return TypeAdapter(Any)
