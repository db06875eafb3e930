"""One entrance for all APIs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _anthropic, _bedrock, _google, _mistral, _openai_chat, _openai_responses
from ._families import FAMILIES, family_of
from ._json import object_at, text_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._violations import WireViolation

_CHECKS: dict[str, Callable[[object, str], list[WireViolation]]] = {
    'anthropic': _anthropic.check,
    'bedrock': _bedrock.check,
    'google': _google.check,
    'mistral': _mistral.check,
    'openai-chat': _openai_chat.check,
    'openai-responses': _openai_responses.check,
}

APIS = tuple(_CHECKS)
"""The APIs that `check_request` knows."""


def check_request(
    api: str, body: object, *, model: str | None = None, family: str | None = None
) -> list[WireViolation]:
    """Judge a request body as the provider would, without a network.

    Enforced is what can be seen in one body and is known from the provider's documentation, from its error texts or
    from recorded traffic; what is uncertain passes. Each rule's source is listed in the documentation of the strict
    provider.

    Example:
        ```python
        from pydantic_ai_history_repair.strict_provider import check_request

        body = {
            'model': 'claude-sonnet-4-5',
            'max_tokens': 1024,
            'tools': [{'name': 'get_time', 'input_schema': {'type': 'object'}}],
            'messages': [
                {'role': 'user', 'content': 'What time is it?'},
                {'role': 'assistant', 'content': [{'type': 'tool_use', 'id': 'toolu_1', 'name': 'get_time', 'input': {}}]},
                {'role': 'user', 'content': 'Never mind.'},
            ],
        }
        for violation in check_request('anthropic', body):
            print(violation.pointer, violation.message)
            #> /messages/1/content/0 Call 'toolu_1' has no result in the next turn.
        ```

    Args:
        api: `'anthropic'` (Messages), `'openai-chat'` (Chat Completions), `'openai-responses'` (Responses), `'google'`
            (`generateContent`), `'bedrock'` (Converse) or `'mistral'` (chat completions).
        body: The JSON body as Python values. Any value is judged, nothing in it raises.
        model: The model name, where the URL carries it and the body does not (Google, Bedrock). `None` reads `model`
            from the body.
        family: The family of models whose rules hold, for hosts that serve models under names of their own. `None`
            deduces it from the model name; an unknown name gets the rules of the whole API only.

    Returns:
        The violations, an empty list for a body that the provider would take.

    Raises:
        ValueError: If `api` or `family` is unknown.
    """
    if api not in _CHECKS:
        raise ValueError(f'`api` must be one of {", ".join(map(repr, APIS))}, got {api!r}.')
    families = [known.name for known in FAMILIES[api]]
    if family is not None and family not in families:
        raise ValueError(f'`family` must be one of {", ".join(map(repr, families))} for {api!r}, got {family!r}.')
    model_name = text_at(object_at(body), 'model') if model is None else model
    return _CHECKS[api](body, family or family_of(api, model_name))
