"""Valid histories, and ones broken by edits at random, each made from its seed."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any, Final, cast

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

_NOW: Final = datetime(2026, 1, 1, tzinfo=UTC)

_MODELS: Final = {
    'anthropic': 'claude-sonnet-5',
    'bedrock': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'google-gla': 'gemini-2.5-flash',
    'groq': 'llama-3.3-70b-versatile',
    'mistral': 'mistral-small-latest',
    'openai': 'gpt-5-mini',
    None: None,  # written by hand
}
_ID_FORMS: Final = {
    'anthropic': 'toolu_{turn}{number}',
    'bedrock': 'tooluse_{turn}_{number}',
    'google-gla': 'pyd_ai_{turn:02}{number}abc',
    'mistral': 'm{turn:04}{number:04}',
}
_TOOLS: Final = ('get_weather', 'search', 'read')

_BAD_IDS: Final = ('', 'functions.search:0', 'call|fc_1', 'x' * 80, 'call_1', 'a b', 'call:1.2')
_BAD_NAMES: Final = ('', 'search.evidence', 'x' * 70, 'other', 'a b')
_BAD_ITEM_IDS: Final = (None, '', 'msg_x.y', 'rs_1', 'item_9', 'fc_1')
_BAD_TEXTS: Final = ('', ' ', '\n', 'ends on a space ')


def valid(seed: int) -> list[ModelMessage]:
    """A conversation of a few turns with tool calls, each turn by the model of another provider."""
    random = Random(seed)
    instructions = random.choice([None, None, 'Be brief.'])
    history: list[ModelMessage] = []
    for turn in range(random.randint(1, 3)):
        history += _turn(random, turn, instructions)
    if random.random() < 0.3:
        _parts(history[0]).insert(0, SystemPromptPart('Be kind.', timestamp=_NOW))
    return history[:-1] if random.random() < 0.7 else history


def _turn(random: Random, turn: int, instructions: str | None) -> list[ModelMessage]:
    provider = random.choice(list(_MODELS))
    made_by: dict[str, Any] = {'provider_name': provider, 'model_name': _MODELS[provider], 'timestamp': _NOW}
    id_form = 'call_{number}' if random.random() < 0.2 else _ID_FORMS.get(provider or '', 'call_{turn}_{number}')
    prompt = UserPromptPart(f'question {turn}', timestamp=_NOW)
    messages: list[ModelMessage] = [ModelRequest(parts=[prompt], timestamp=_NOW, instructions=instructions)]
    number = 0

    def item(kind: str) -> dict[str, Any]:
        return {'id': f'{kind}_{turn}{number}', 'provider_name': provider} if provider == 'openai' else {}

    for step in range(random.randint(0, 2)):
        parts: list[ModelResponsePart] = []
        if random.random() < 0.3:
            parts.append(_thinking(f'thought {turn}.{step}', provider, item('rs')))
        if random.random() < 0.3:
            parts.append(TextPart(f'remark {turn}.{step}', **item('msg')))
        calls: list[ToolCallPart] = []
        for _ in range(random.randint(1, 3)):
            number += 1
            id = id_form.format(turn=turn, number=number)
            calls.append(ToolCallPart(random.choice(_TOOLS), {'x': number}, tool_call_id=id, **item('fc')))
        messages.append(ModelResponse(parts=[*parts, *calls], **made_by))
        results = [
            ToolReturnPart(call.tool_name, f'result {turn}.{step}.{index}', call.tool_call_id, timestamp=_NOW)
            for index, call in enumerate(calls)
        ]
        messages.append(ModelRequest(parts=results, timestamp=_NOW, instructions=instructions))
    messages.append(ModelResponse(parts=[TextPart(f'answer {turn}', **item('msg'))], **made_by))
    return messages


def _thinking(text: str, provider: str | None, item: dict[str, Any]) -> ThinkingPart:
    if provider in ('anthropic', 'bedrock', 'openai'):
        return ThinkingPart(text, signature='c2ln', provider_name=provider, id=item.get('id'))
    return ThinkingPart(text)


def broken(seed: int) -> list[ModelMessage]:
    """A valid conversation after one to three edits."""
    random = Random(seed)
    history = valid(seed)
    for _ in range(random.choice([1, 1, 2, 3])):
        if not history:
            break
        if random.random() < 0.4:
            _edit_messages(random, history)
        elif places := [(message, index) for message in history for index in range(len(message.parts))]:
            message, index = random.choice(places)
            if random.random() < 0.5:
                _edit_parts(random, history, _parts(message), index)
            else:
                _edit_part(random, history, _parts(message)[index])
    return history


def _edit_messages(random: Random, history: list[ModelMessage]) -> None:
    index, other = random.randrange(len(history)), random.randrange(len(history))
    message = history[index]
    match random.randrange(9):
        case 0:
            del history[index]
        case 1:
            parts: Any = [copy(part) for part in message.parts]
            history.insert(other, replace(message, parts=parts))
        case 2:
            history.insert(other, history.pop(index))
        case 3:
            history[index], history[other] = history[other], history[index]
        case 4:
            del history[index + 1 :]
        case 5:
            del history[:index]
        case 6:
            del _parts(message)[random.randint(0, len(message.parts)) :]
        case 7 if isinstance(message, ModelRequest):
            message.instructions = f'Be kind {random.randrange(2)} times.'
        case _:
            provider = random.choice(list(_MODELS))
            history.insert(
                index,
                ModelResponse(parts=[], timestamp=_NOW, provider_name=provider, model_name=_MODELS[provider]),
            )


def _edit_parts(random: Random, history: list[ModelMessage], parts: list[Any], index: int) -> None:
    """Drop, duplicate, move or swap a part, among messages of its kind."""
    kind = next(message.kind for message in history if message.parts is parts)
    others = [_parts(message) for message in history if message.kind == kind]
    other = random.choice(others)
    match random.randrange(4):
        case 0:
            del parts[index]
        case 1:
            parts.insert(random.randint(0, len(parts)), copy(parts[index]))
        case 2:
            part = parts.pop(index)
            other.insert(random.randint(0, len(other)), part)
        case _ if other:
            place = random.randrange(len(other))
            parts[index], other[place] = other[place], parts[index]
        case _:
            pass


def _edit_part(random: Random, history: list[ModelMessage], part: Any) -> None:
    """Change an id, a name or the content of a part."""
    edit = random.randrange(4)
    if isinstance(part, ToolCallPart | ToolReturnPart):
        if edit == 0:
            part.tool_call_id = random.choice(_BAD_IDS)
        elif edit == 1:
            same = [one for message in history for one in _parts(message) if _id(one) == part.tool_call_id]
            new = random.choice(_BAD_IDS)
            for one in same:
                one.tool_call_id = new
        elif edit == 2:
            part.tool_name = random.choice(_BAD_NAMES)
        elif isinstance(part, ToolReturnPart):
            part.content = random.choice(_BAD_TEXTS)
        elif random.random() < 0.5:
            part.args = '{"x": '
        else:
            part.id = random.choice(_BAD_ITEM_IDS)
    elif isinstance(part, ThinkingPart) or (edit == 0 and isinstance(part, TextPart)):
        part.id = random.choice(_BAD_ITEM_IDS)
    else:
        part.content = random.choice(_BAD_TEXTS)


def _id(part: object) -> str | None:
    return part.tool_call_id if isinstance(part, ToolCallPart | ToolReturnPart) else None


def _parts(message: ModelMessage) -> list[Any]:
    return cast(list[Any], message.parts)
