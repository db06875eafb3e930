from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic_ai.messages import ModelResponse

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ..dialects import Dialect
from ._base import Rule


class ResponseItemId(Rule):
    """An item id of OpenAI Responses that is malformed, or that occurs twice.

    ## Why providers reject it

    "Duplicate item found with id msg_123. Remove duplicate items from your input and try again", and "Invalid
    'input[8].id': 'call_1'. Expected an ID that begins with 'fc'". It comes from a response that was stored twice, and
    from proxies and converters that put a call id in the place of an item id.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    greeting = ModelResponse(parts=[TextPart('Hello!', id='msg_1')], provider_name='openai')
    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('Hello.')]),
            greeting,
            ModelRequest(parts=[UserPromptPart('Hello again.')]),
            greeting,
            ModelRequest(parts=[UserPromptPart('Anything else?')]),
        ],
        dialect='openai-responses',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR304 /3/parts/0 removed
    print(report.messages[3].parts[0].id)
    #> None
    ```

    ## What the repair does

    It leaves the item id out of what is sent; the text, the call and its `call_id` stay. A response whose reasoning loses
    its id loses the ids of its other items too, since they would ask for that reasoning; the reasoning goes as text.

    ## What it never does

    It never makes up an item id or changes one: the provider has bound its state to it.

    ## Dialects

    `openai-responses`, `portable`; only for responses of OpenAI itself and of Azure, since Pydantic AI sends no other ids.
    """

    code = 'HR304'
    name = 'response-item-id'
    since = '0.1.0'
    phase = 'parts'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or dialect.item_id_prefixes is None:
            return []
        seen: dict[str, tuple[int, int]] = {}
        findings: list[Finding] = []
        for item in _items(history, dialect):
            prefix = dialect.item_id_prefixes[item.part.part_kind]
            last = seen.get(item.part.id)
            again = last is not None and not _continues(item, last)
            if again:
                findings.append(self.finding(item.location, f'The item id {item.part.id!r} occurs twice.'))
            elif not re.fullmatch('[a-zA-Z0-9_-]+', item.part.id) or not item.part.id.startswith(prefix):
                text = f'The item id {item.part.id!r} does not have the form {prefix}_...'
                findings.append(self.finding(item.location, text))
            if not again:
                seen[item.part.id] = (item.location.message, item.location.part or 0)
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        assert history.terms.dialect
        places = {finding.location for finding in findings}
        thinking = {Location(message, position) for message, position, _ in history.contents.thinking}
        reasoning = {location.message for location in places & thinking}
        for item in _items(history, history.terms.dialect):
            part = edits.part(item.location)
            if part is not None and (item.location in places or item.location.message in reasoning):
                edits.replace(item.location, replace(part, id=None))
        return [Repair(finding=finding, action='removed') for finding in findings]


class _Item(NamedTuple):
    location: Location
    part: Any


def _items(history: History, dialect: Dialect) -> Iterator[_Item]:
    """The parts whose item ids are sent, in order."""
    assert dialect.item_id_prefixes is not None
    contents = history.contents
    places = [place for place in (*contents.texts, *contents.thinking, *contents.calls) if place[2].id is not None]
    for message, position, part in sorted(places, key=lambda place: place[:2]):
        response = history.messages[message]
        assert isinstance(response, ModelResponse)
        if (part.provider_name or response.provider_name) in dialect.own_providers:
            yield _Item(Location(message, position), part)


def _continues(item: _Item, last: tuple[int, int]) -> bool:
    """Whether a part goes on with the item of the part before it: a summary in several parts, a text in several."""
    return item.part.part_kind in ('thinking', 'text') and last[0] == item.location.message
