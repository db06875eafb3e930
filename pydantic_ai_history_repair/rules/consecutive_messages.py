from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelRequestPart, ModelResponse

from .._compat import is_tool_result, leads_merged_request, stays_between_results
from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule

_FRAMEWORK_METADATA: Final = '__pydantic_ai__'
"""The only metadata that model adapters read; core carries it over a merge and drops the rest."""


class ConsecutiveMessages(Rule):
    """Two messages of the same kind in a row, or something between the tool results of one request.

    ## Why providers reject it

    Some want user and assistant to take turns, and all of them want the results that answer a turn together and in
    front: a request that holds only half of them leaves the other half's calls unanswered. It comes from a history
    put together from several sources, and from a message enqueued while tools were running.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
            ModelRequest(parts=[UserPromptPart('In Celsius, please.')]),
            ModelRequest(parts=[ToolReturnPart('get_weather', 'Sunny.', tool_call_id='call_1')]),
        ]
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR201 /3 merged
    print([part.part_kind for part in report.messages[2].parts])
    #> ['tool-return', 'user-prompt']
    ```

    ## What the repair does

    Requests become one, results first, unless their instructions differ. Responses become one only when neither came
    from a provider. What stands between the results of a single request moves behind the last of them. These are the
    newest Pydantic AI's own rules: as there, a merged request keeps the framework's metadata and not the
    application's, nor the `run_id` and `conversation_id`.

    ## What it never does

    It never adds or loses a part, and never merges a response that a provider sent: its signed thinking and its id
    stand for exactly that response.

    ## Dialects

    All.
    """

    code = 'HR201'
    name = 'consecutive-messages'
    since = '0.1.0'
    phase = 'shape'

    def __init__(self, *, gather_merged: bool = True) -> None:
        self._gather_merged = gather_merged
        """Core leaves feedback that names no tool between the results of two requests it has just merged, and moves it
        when it next sees them. `False` does the same; `True` needs no second pass."""

    def check(self, history: History) -> list[Finding]:
        merged = self._merged_into_previous(history)
        findings = [
            self._finding(index, f'A {history.messages[index].kind} follows another {history.messages[index].kind}.')
            for index in merged
        ]
        findings += [
            self._finding(index, 'Something stands between the tool results of one request.')
            for index in history.split
            if index not in merged and _gathered(history.messages[index]) is not history.messages[index]
        ]
        return sorted(findings, key=lambda finding: finding.location)

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        merged = self._merged_into_previous(history)
        runs: dict[int, list[ModelMessage]] = {}
        repairs: list[Repair] = []
        for finding in findings:
            index = finding.location.message
            if index in merged:
                runs.setdefault(merged[index], []).append(history.messages[index])
                edits.drop_message(index)
                repairs.append(Repair(finding=finding, action='merged'))
            else:
                edits.replace_message(index, _gathered(history.messages[index]))
                repairs.append(Repair(finding=finding, action='moved'))
        for head, others in runs.items():
            joined = _merge([edits.message(head), *others])
            edits.replace_message(head, _gathered(joined) if self._gather_merged else joined)
        return repairs

    def _merged_into_previous(self, history: History) -> dict[int, int]:
        """The messages that join an earlier one, with the index of the one they join."""
        merged: dict[int, int] = {}
        head, instructions = -1, None
        for index in history.neighbours:
            if merged.get(index - 1) != head or index - 1 not in merged:
                head, instructions = index - 1, _instructions(history.messages[index - 1])
            message = history.messages[index]
            if isinstance(message, ModelRequest):
                joins = not instructions or not message.instructions or instructions == message.instructions
                instructions = instructions or message.instructions
            else:
                joins = not _sent_by_provider(message) and not _sent_by_provider(history.messages[head])
            if joins:
                merged[index] = head
        return merged

    def _finding(self, message: int, text: str) -> Finding:
        return self.finding(Location(message), text)


def _instructions(message: ModelMessage) -> str | None:
    return message.instructions if isinstance(message, ModelRequest) else None


def _sent_by_provider(message: ModelMessage) -> bool:
    return isinstance(message, ModelResponse) and not (
        message.provider_response_id is None and message.provider_name is None and message.model_name is None
    )


def _merge(messages: Sequence[ModelMessage]) -> ModelMessage:
    first = messages[0]
    if isinstance(first, ModelResponse):
        return replace(first, parts=[part for message in messages for part in message.parts])
    requests = [message for message in messages if isinstance(message, ModelRequest)]
    parts = [part for request in requests for part in request.parts]
    return ModelRequest(
        parts=sorted(parts, key=lambda part: not leads_merged_request(part)),
        instructions=next(filter(None, (request.instructions for request in requests)), requests[-1].instructions),
        timestamp=next((request.timestamp for request in reversed(requests) if request.timestamp), None),
        metadata=_framework_metadata(requests),
    )


def _framework_metadata(requests: Sequence[ModelRequest]) -> dict[str, Any] | None:
    namespaces: list[dict[str, Any]] = [
        request.metadata[_FRAMEWORK_METADATA]
        for request in requests
        if request.metadata and isinstance(request.metadata.get(_FRAMEWORK_METADATA), dict)
    ]
    if not namespaces:
        return None
    return {_FRAMEWORK_METADATA: {key: value for namespace in namespaces for key, value in namespace.items()}}


def _gathered(message: ModelMessage) -> ModelMessage:
    """The message with everything between its tool results moved behind the last of them."""
    places = [position for position, part in enumerate(message.parts) if is_tool_result(part)]
    if not places or not isinstance(message, ModelRequest):
        return message
    start, end = places[0], places[-1] + 1
    staying: list[ModelRequestPart] = []
    moving: list[ModelRequestPart] = []
    for part in message.parts[start:end]:
        (staying if stays_between_results(part) else moving).append(part)
    if not moving:
        return message
    return replace(message, parts=[*message.parts[:start], *staying, *moving, *message.parts[end:]])
