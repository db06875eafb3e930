from __future__ import annotations

from dataclasses import replace

from pydantic_ai.messages import ModelResponse

from .._edits import Edits
from .._findings import Finding, Location, Repair
from .._history import History
from ._base import Rule


class UnsignedThinking(Rule):
    """Thinking of the provider's own models whose signature is missing, or stands for another text.

    ## Why providers reject it

    Anthropic: "Invalid `signature` in `thinking` block". It comes from a stream that was cut while the model was thinking,
    from a client that does not keep signatures, and from code that shortens what a model thought.

    ## Example

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ThinkingPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is 2 + 2?')]),
            ModelResponse(parts=[ThinkingPart('Let me', signature='', provider_name='anthropic')]),
            ModelRequest(parts=[UserPromptPart('And?')]),
        ],
        dialect='anthropic',
    )
    for repair in report.repairs:
        print(repair.code, repair.location, repair.action)
        #> HR501 /1/parts/0 demoted
    print(report.messages[1].parts[0].signature, report.messages[1].parts[0].content)
    #> None Let me
    ```

    ## What the repair does

    Thinking with an empty signature is sent as text, as Pydantic AI sends the thinking of any other model.

    ## What it never does

    It never invents a signature, and never touches thinking that has its own. Two thinking parts with one signature and
    different texts cannot both be whole, and nothing tells which one is: that finding remains. Restore the text that was
    changed, or remove the thinking part.

    ## Dialects

    `anthropic`, `minimax-anthropic`, `bedrock`, `portable`. The newest Pydantic AI does the same with an empty signature.
    """

    code = 'HR501'
    name = 'unsigned-thinking'
    since = '0.1.0'
    phase = 'parts'
    scope = 'wire'

    def check(self, history: History) -> list[Finding]:
        dialect = history.terms.dialect
        if dialect is None or not dialect.signed_thinking:
            return []
        findings: list[Finding] = []
        signed: dict[str, str] = {}
        for message, position, part in history.contents.thinking:
            response = history.messages[message]
            assert isinstance(response, ModelResponse)
            if (part.provider_name or response.provider_name) not in dialect.own_providers:
                continue
            if part.signature == '':
                findings.append(self.finding(Location(message, position), 'A thinking part has an empty signature.'))
            elif part.signature and signed.setdefault(part.signature, part.content) != part.content:
                text = 'A thinking part has the signature of another one, whose text is different.'
                findings.append(self.finding(Location(message, position), text, fixable=False))
        return findings

    def fix(self, history: History, findings: list[Finding], edits: Edits) -> list[Repair]:
        for finding in findings:
            edits.replace(finding.location, replace(edits.part(finding.location), signature=None))
        return [Repair(finding=finding, action='demoted') for finding in findings]
