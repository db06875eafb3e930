from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from pydantic_ai.messages import CachePoint

from .._compat import retry_text, with_fields
from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ..dialects import Blank
from ._base import Rule

NO_CONTENT: Final = '(no content)'
"""What stands for the content of a result that has none: a result cannot be left out."""


class BlankText(Rule):
    r"""Text that is empty, or nothing but white space.

    ## Why providers reject it

    Anthropic: "text content blocks must contain non-whitespace text". Bedrock: "The text field in the ContentBlock object
    at messages.1.content.0 is blank". It comes from models that put an empty text beside their calls, from tools that
    return nothing, and from clients that send a prompt nobody typed.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('Clean up, please.')]),
            ModelResponse(parts=[TextPart('\n\n'), ToolCallPart('clean_up', {}, tool_call_id='call_1')]),
            ModelRequest(parts=[ToolReturnPart('clean_up', '', tool_call_id='call_1')]),
        ],
        dialect='anthropic',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR401 /1/parts/0 removed
        #> HR401 /2/parts/0 replaced
    print(report.messages[2].parts[0].content)
    #> (no content)
    ```

    ## What the repair does

    It leaves blank text of prompts and responses out of what is sent, and the message with it if nothing else is in
    there. A tool result stays, since its call needs one, and says that there is no content.

    ## What it never does

    It never touches text with a visible character in it, and never a thinking part. In a response with signed thinking
    it takes out the blank text alone: the thinking stays as it was, in its order.

    ## Dialects

    Empty text: `bedrock`, `bedrock-nova`, `google-vertex`, `xai`. White space: `anthropic`, `minimax-anthropic`. Empty
    results: all of these but Gemini's. `portable`: each of them.
    """

    code = 'HR401'
    name = 'blank-text'
    since = '0.1.0'
    phase = 'parts'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not (dialect.refused_text or dialect.refused_result_text):
            return []
        findings: list[Finding] = []
        contents = history.contents
        for message, position, part in (*contents.texts, *contents.prompts) if dialect.refused_text else ():
            if not _is_seen(part.content) and _is_refused(part, dialect.refused_text):
                location = Location(message, position)
                findings.append(self.finding(location, 'A text is empty or holds nothing but white space.'))
        for message, position, result in contents.results if dialect.refused_result_text else ():
            if _is_seen(result.content):
                continue
            if _is_blank(result.content, dialect.refused_result_text) and retry_text(result) is None:
                text = f'The result of tool call {result.tool_call_id!r} to {result.tool_name!r} has no content.'
                findings.append(self.finding(Location(message, position), text, about=result))
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        assert history.terms.dialect
        repairs: list[Repair] = []
        for finding in findings:
            part = edits.part(finding.location)
            content = (
                NO_CONTENT
                if finding.tool_call_id is not None
                else _without_blanks(part, history.terms.dialect.refused_text)
            )
            if content:
                edits.replace(finding.location, with_fields(part, content=content))
            else:
                edits.remove(finding.location)
            repairs.append(
                Repair(finding=finding, action='replaced' if finding.tool_call_id is not None else 'removed')
            )
        return repairs


def _is_seen(content: object) -> bool:
    return isinstance(content, str) and content != '' and not content.isspace()


def _is_blank(content: object, refused: Collection[Blank]) -> bool:
    text = getattr(content, 'content', content)  # newer cores have text with metadata
    return isinstance(text, str) and not text.strip() and ('whitespace' if text else 'empty') in refused


def _is_refused(part: Any, refused: Collection[Blank]) -> bool:
    content = part.content
    if isinstance(content, str):
        return _is_blank(content, refused)
    return any(_is_blank(item, refused) for item in content)


def _without_blanks(part: Any, refused: Collection[Blank]) -> list[Any]:
    """What is left of a prompt of several items; nothing if no more than a mark for the cache is."""
    if isinstance(part.content, str):
        return []
    kept = [item for item in part.content if not _is_blank(item, refused)]
    return kept if any(not isinstance(item, CachePoint) for item in kept) else []
