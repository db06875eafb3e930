"""The page `docs/provider-rules.md`: who sees to each provider rule. `python -m tests.catalogue` renews it."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

PAGE: Final = Path(__file__).parents[1] / 'docs' / 'provider-rules.md'


class Verdict(NamedTuple):
    """Who sees to a rule of a provider."""

    by: str
    """Codes of our rules; `adapter`, `request` or `provider`."""
    note: str = ''


_PAGE: Final = """\
# Who sees to each provider rule

The [strict provider](strict-provider.md) has a catalogue of what providers refuse. This is who sees to each entry of it:
a rule of this package, the newest Pydantic AI adapter by itself, or nobody before the request is sent.

| who | what it means |
|---|---|
| `HR...` | a [rule](rules/index.md) of this package |
| adapter | Pydantic AI's newest adapter sends it as the provider wants it |
| request | the request decides, not the history: settings, media, or the model's profile |
| provider | only the provider can tell |

| provider rule | who | |
|---|---|---|
{rows}"""


def page() -> str:
    """What the page must say."""
    return _PAGE.format(rows=''.join(f'| `{id}` | {by} | {note} |\n' for id, (by, note) in sorted(VERDICTS.items())))


VERDICTS: Final[dict[str, Verdict]] = {
    'anthropic-call-without-result': Verdict('HR101'),
    'chat-call-without-result': Verdict('HR101, HR103'),
    'deepseek-insufficient-tool-messages': Verdict('HR202, HR203'),
    'responses-call-without-output': Verdict('HR101'),
    'deepseek-responses-interleaved-calls': Verdict('adapter', 'it puts the calls of a turn together'),
    'bedrock-expected-toolresult': Verdict('HR101, HR201'),
    'bedrock-claude-did-not-find-results': Verdict('HR202, HR203'),
    'gemini-response-count-mismatch': Verdict('HR101, HR104'),
    'mistral-call-result-count': Verdict('HR101, HR103, HR104'),
    'minimax-result-not-following': Verdict('HR103, HR105'),
    'anthropic-result-without-call': Verdict('HR102, HR103', "`orphaned_results='note'` keeps the content"),
    'chat-result-without-call': Verdict('HR102, HR103'),
    'responses-output-without-call': Verdict('HR102'),
    'bedrock-result-exceeds-calls': Verdict('HR102, HR103, HR104'),
    'gemini-response-without-call': Verdict('HR102, HR103'),
    'mistral-unexpected-role-tool': Verdict('HR102, HR103, HR203'),
    'minimax-tool-id-not-found': Verdict('HR102'),
    'late-result-nonadjacent': Verdict('HR103'),
    'text-before-tool-result': Verdict('HR202, HR203'),
    'parallel-results-split': Verdict('HR201, HR203, HR103'),
    'consecutive-responses-split-calls': Verdict(
        'HR103', 'Anthropic, Bedrock and Gemini read the responses as one turn'
    ),
    'gemini-call-turn-order': Verdict('adapter', 'it adds a user turn in front; contents in a row are one turn'),
    'gemini-response-turn-mixed-text': Verdict('adapter', 'it sends the text in a content of its own'),
    'gemini-must-end-with-user': Verdict('HR205'),
    'mistral-user-after-tool': Verdict('HR207', '`MistralModel` does it itself'),
    'minimax-trailing-text-in-result-turn': Verdict('HR207'),
    'bedrock-toolresult-colocation': Verdict('adapter', 'by the profile of the model'),
    'anthropic-duplicate-results': Verdict('HR104'),
    'openai-duplicate-tool-message': Verdict('HR104'),
    'responses-duplicate-output': Verdict('HR104, HR105'),
    'duplicate-call-ids-one-response': Verdict('HR105'),
    'duplicate-call-ids-across-turns': Verdict(
        'HR105', 'OpenAI Chat, Anthropic, Bedrock, Gemini and Mistral accept them'
    ),
    'responses-duplicate-item-id': Verdict('HR304'),
    'anthropic-id-charset': Verdict('HR301'),
    'openai-call-id-length': Verdict('HR301'),
    'openai-call-id-empty': Verdict('HR106'),
    'openai-item-id-prefix': Verdict('HR304'),
    'openai-item-id-charset': Verdict('HR304'),
    'mistral-id-nine-alnum': Verdict('HR301', '`MistralModel` does it itself'),
    'bedrock-tooluseid-pattern': Verdict('HR301, HR106'),
    'minimax-id-invalid': Verdict('HR106, HR301'),
    'anthropic-empty-text': Verdict('HR401, HR205'),
    'anthropic-whitespace-text': Verdict('HR401'),
    'anthropic-trailing-whitespace': Verdict('HR205', 'a conversation that is sent ends on the user'),
    'anthropic-no-messages': Verdict('HR205'),
    'bedrock-blank-text': Verdict('HR401'),
    'bedrock-empty-content': Verdict('adapter'),
    'bedrock-document-needs-text': Verdict('adapter'),
    'bedrock-json-result-object': Verdict('adapter', 'results go as text'),
    'chat-null-content': Verdict('adapter'),
    'qwen-content-required': Verdict('request', 'the history is valid: a matter of the adapter and its profile'),
    'empty-assistant-other': Verdict('HR402', 'the adapters for OpenAI Chat, Mistral and Cohere do it themselves'),
    'glm-1214': Verdict('HR204', 'as far as a missing user message is the reason'),
    'anthropic-no-prefill': Verdict('HR205'),
    'bedrock-start-with-user': Verdict('adapter'),
    'template-roles-alternate': Verdict('HR402, HR201', 'several system messages are merged by the profile'),
    'system-only-at-beginning': Verdict('HR208', "with `dialect='qwen-template'`"),
    'anthropic-system-placement': Verdict('adapter'),
    'anthropic-invalid-signature': Verdict(
        'HR501', 'a text cut behind a whole signature is seen only beside the other copy'
    ),
    'anthropic-must-start-with-thinking': Verdict('HR505', 'reported: a signature cannot be made up'),
    'anthropic-latest-thinking-modified': Verdict('adapter', 'no rule touches signed thinking'),
    'anthropic-thinking-block-binding': Verdict('provider', 'the adapter retries once'),
    'gemini-missing-thought-signature': Verdict('adapter', 'it sends the documented stand-in'),
    'gemini-corrupted-signature': Verdict('HR502', 'one that is no Base64; the rest only the provider can tell'),
    'responses-reasoning-without-item': Verdict('HR503'),
    'responses-item-without-reasoning': Verdict('provider', 'models that do not reason send the same ids'),
    'responses-encrypted-content-invalid': Verdict('provider', 'another account of the same provider looks the same'),
    'responses-encrypted-id-mismatch': Verdict('adapter', 'no rule changes a reasoning id'),
    'responses-item-not-found': Verdict('provider', 'what the endpoint stored is not in the history'),
    'deepseek-reasoning-content-required': Verdict('adapter'),
    'kimi-reasoning-content-required': Verdict('request', 'a matter of the adapter and its profile'),
    'groq-unknown-reasoning-field': Verdict('adapter', 'thinking goes as text'),
    'chat-reasoning-id-as-field': Verdict('HR502'),
    'anthropic-native-call-unpaired': Verdict('adapter'),
    'anthropic-native-result-unpaired': Verdict('HR504'),
    'foreign-native-tool-blocks': Verdict('adapter'),
    'bedrock-toolconfig-required': Verdict('HR601', 'in the capability, which knows the request'),
    'anthropic-tools-required': Verdict('HR601', 'in the capability, which knows the request'),
    'openai-tool-name-pattern': Verdict('HR302'),
    'bedrock-tool-name-pattern': Verdict('HR302'),
    'anthropic-input-dict': Verdict('adapter'),
    'qwen-args-json': Verdict('adapter'),
    'minimax-args-json': Verdict('adapter'),
    'openai-image-in-tool-message': Verdict('adapter'),
    'openai-audio-in-user-message': Verdict('adapter'),
    'bedrock-unsupported-media': Verdict('adapter'),
    'cache-control-max-four': Verdict('adapter'),
    'function-response-name-mismatch': Verdict('HR303'),
    'xai-empty-content': Verdict('HR401, HR402'),
    'kimi-tool-call-id-not-found': Verdict('HR102, HR106'),
    'anthropic-content-after-call': Verdict('HR206, HR103'),
    'groq-assistant-empty': Verdict('HR402'),
    'mistral-system-mid': Verdict('HR208'),
}


if __name__ == '__main__':
    PAGE.write_text(page(), encoding='utf-8')
