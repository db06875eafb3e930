from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule

_BASE64: Final = re.compile(r'[A-Za-z0-9+/_-]*={0,2}')


class ForeignThinking(Rule):
    """Thinking with a mark of another API that this one would be sent.

    ## Why providers reject it

    Each API binds thinking to its own marks. The reasoning item id of OpenAI Responses becomes the name of an unknown
    field when the conversation goes on with OpenAI Chat. Gemini: "Base64 decoding failed" for a signature that is none of
    its own. It comes from a switch of the API in the middle of a conversation.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ThinkingPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is 2 + 2?')]),
            ModelResponse(
                parts=[ThinkingPart('Let me add.', id='rs_1', provider_name='openai'), TextPart('4')],
                provider_name='openai',
            ),
            ModelRequest(parts=[UserPromptPart('And 3 + 3?')]),
        ],
        dialect='openai-chat',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR502 /1/parts/0 demoted
    print(report.messages[1].parts[0].id, report.messages[1].parts[0].content)
    #> None Let me add.
    ```

    ## What the repair does

    The mark is left out, and the thinking goes as the adapter sends thinking of any other model: as text.

    ## What it never does

    It never drops what the model thought, nor a signature that this provider may have given.

    ## Dialects

    `openai-chat` and `mistral-compatible` (item ids), `google` and `google-vertex` (signatures), `portable`. Pydantic AI itself sees to thinking
    that is marked with another provider's name.
    """

    code = 'HR502'
    name = 'foreign-thinking'
    since = '0.1.0'
    phase = 'parts'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not (dialect.refused_thinking_id or dialect.base64_signatures):
            return []
        # What is to be valid for Responses too keeps the ids that Responses asks for.
        refused_id = dialect.refused_thinking_id if dialect.item_id_prefixes is None else None
        findings: list[Finding] = []
        for message, position, part in history.contents.thinking:
            if part.provider_name not in dialect.own_providers:
                continue
            if refused_id and part.id and re.search(refused_id, part.id):
                text = f'The reasoning item id {part.id!r} would be sent as the name of a field.'
                findings.append(self.finding(Location(message, position), text))
            elif dialect.base64_signatures and 'google' in part.provider_name and not _is_base64(part.signature or ''):
                findings.append(self.finding(Location(message, position), 'A signature is not Base64.'))
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            part = edits.part(finding.location)
            spoilt = 'signature' if 'google' in part.provider_name else 'id'
            edits.replace(finding.location, replace(part, **{spoilt: None}))
        return [Repair(finding=finding, action='demoted') for finding in findings]


def _is_base64(signature: str) -> bool:
    return bool(_BASE64.fullmatch(signature)) and len(signature.rstrip('=')) % 4 != 1
