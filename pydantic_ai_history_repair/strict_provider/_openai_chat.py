"""OpenAI Chat Completions, and the vendors that borrow it: which request bodies are refused."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _mistral
from ._chat_messages import Message, exchanges, first_part, is_empty, read_messages
from ._json import Reader, bracketed, dotted, object_at, text_at
from ._wire_rules import openai_chat as rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._json import Misfit, Object
    from ._violations import WireViolation

_UNANSWERED = {'deepseek': rules.DEEPSEEK_CALL_WITHOUT_RESULT, 'minimax': rules.MINIMAX_CALL_WITHOUT_RESULT}
_UNASKED = {'kimi': rules.KIMI_RESULT_WITHOUT_CALL, 'minimax': rules.MINIMAX_RESULT_WITHOUT_CALL}
_EMPTY_ASSISTANT = {'groq': rules.GROQ_ASSISTANT_EMPTY, 'xai': rules.XAI_EMPTY_CONTENT}
_INSTEAD_OF_CONTENT = ('refusal', 'audio', 'function_call', 'reasoning', 'reasoning_content', 'reasoning_details')
_FOREIGN_KINDS = re.compile(r'tool_use|tool_result|.*_tool_(use|result)')


@dataclass(frozen=True, kw_only=True)
class _Request:
    body: Object
    family: str
    messages: list[Message]

    def of(self, role: str) -> list[Message]:
        return [message for message in self.messages if message.role == role]


def check(body: object, family: str) -> list[WireViolation]:
    """The violations of a Chat Completions body."""
    if family == 'mistral':
        return _mistral.check(body, family)
    reader = Reader()
    messages = read_messages(body, reader)
    if reader.misfits:
        return [_malformed(misfit) for misfit in reader.misfits]
    request = _Request(body=object_at(body), family=family, messages=messages)
    return [violation for rule in _CHECKS for violation in rule(request)]


def _malformed(misfit: Misfit) -> WireViolation:
    return rules.MALFORMED_BODY.broken(misfit.path, f'Expected {misfit.expected}.', problem=misfit.in_openai_words())


def _no_messages(request: _Request) -> Iterator[WireViolation]:
    if not request.messages:
        yield rules.NO_MESSAGES.broken(('messages',), 'There is no message.')


def _calls_and_results(request: _Request) -> Iterator[WireViolation]:
    for asking, answers in exchanges(request.messages):
        calls = asking.calls if asking else ()
        answered = {answer.answers for answer in answers}
        for call in calls:
            if call.id not in answered:
                rule = _UNANSWERED.get(request.family, rules.CALL_WITHOUT_RESULT)
                yield rule.broken(call.path, f'Call {call.id!r} has no tool message directly after it.', id=call.id)
        for answer in answers:
            if answer.answers not in {call.id for call in calls}:
                rule = _UNASKED.get(request.family, rules.RESULT_UNKNOWN_ID if calls else rules.RESULT_WITHOUT_CALL)
                message = f'The tool message for {answer.answers!r} does not follow its call.'
                yield rule.broken(answer.path, message, id=answer.answers)
        if request.family in rules.DUPLICATE_TOOL_MESSAGE.families:
            yield from _second_answers(answers)


def _second_answers(answers: list[Message]) -> Iterator[WireViolation]:
    first: dict[str, Message] = {}
    for answer in answers:
        earlier = first.setdefault(answer.answers, answer)
        if earlier is not answer:
            message, places = f'Call {answer.answers!r} is answered twice.', (earlier.index, answer.index)
            yield rules.DUPLICATE_TOOL_MESSAGE.broken(
                answer.path, message, id=answer.answers, first=places[0], second=places[1]
            )


def _content(request: _Request) -> Iterator[WireViolation]:
    for message in request.messages:
        excused = message.role == 'assistant' and (message.calls or any(map(message.data.get, _INSTEAD_OF_CONTENT)))
        if message.data.get('content') is None and not excused:
            rule = _EMPTY_ASSISTANT.get(request.family) if message.role == 'assistant' else None
            rule = rule or rules.NULL_CONTENT
            yield rule.broken((*message.path, 'content'), 'The message has no content.', place=dotted(message.path))
        elif request.family == 'qwen' and message.role == 'assistant' and message.data.get('content') is None:
            yield rules.QWEN_CONTENT.broken((*message.path, 'content'), 'The message has no content beside its calls.')
        elif request.family == 'xai' and is_empty(message):
            yield rules.XAI_EMPTY_CONTENT.broken((*message.path, 'content'), 'The content is empty.')


def _call_ids(request: _Request) -> Iterator[WireViolation]:
    if request.family not in rules.CALL_ID_LENGTH.families:
        return
    for message in request.messages:
        ids = [((*call.path, 'id'), call.id) for call in message.calls]
        for path, found in [*ids, ((*message.path, 'tool_call_id'), message.answers)]:
            if len(found) > 64:
                text = f'The id has {len(found)} characters.'
                yield rules.CALL_ID_LENGTH.broken(path, text, place=bracketed(path), length=len(found))


def _tool_names(request: _Request) -> Iterator[WireViolation]:
    if request.family not in rules.TOOL_NAME.families:
        return
    for call in (call for message in request.messages for call in message.calls):
        if not re.fullmatch('[a-zA-Z0-9_-]+', call.name):
            path = (*call.path, 'function', 'name')
            message = f'The tool name {call.name!r} is empty or has a forbidden character.'
            yield rules.TOOL_NAME.broken(path, message, place=bracketed(path))


def _parts(request: _Request) -> Iterator[WireViolation]:
    for message in request.messages:
        image = first_part(message, 'image_url') if message.role == 'tool' else None
        if request.family in rules.IMAGE_IN_TOOL_MESSAGE.families and image is not None:
            path = (*message.path, 'content', image)
            yield rules.IMAGE_IN_TOOL_MESSAGE.broken(path, 'A tool message holds an image.', n=message.index)
        if request.family != 'openai':
            continue
        audio = first_part(message, 'input_audio')
        if audio is not None and 'audio' not in text_at(request.body, 'model'):
            path = (*message.path, 'content', audio)
            yield rules.AUDIO_IN_USER_MESSAGE.broken(path, 'This model takes no audio.', n=message.index)
        for index, part in enumerate(message.parts):
            if _FOREIGN_KINDS.fullmatch(kind := text_at(part, 'type')):
                path = (*message.path, 'content', index)
                yield rules.FOREIGN_BLOCKS.broken(path, f'A `{kind}` part belongs to another API.', kind=kind)


def _reasoning_fields(request: _Request) -> Iterator[WireViolation]:
    for message in request.of('assistant'):
        if request.family == 'groq' and 'reasoning_content' in message.data:
            path = (*message.path, 'reasoning_content')
            yield rules.GROQ_REASONING_FIELD.broken(path, 'Groq knows no such field.', place=dotted(message.path))
        for key in filter(lambda key: key.startswith('rs_'), message.data) if request.family == 'openai' else ():
            path = (*message.path, key)
            yield rules.REASONING_ID_AS_FIELD.broken(path, 'A reasoning id is no field.', place=bracketed(path))


def _reasoning_content(request: _Request) -> Iterator[WireViolation]:
    thinks = object_at(request.body, 'thinking').get('type') == 'enabled'
    if request.family == 'deepseek' and (thinks or text_at(request.body, 'model') == 'deepseek-reasoner'):
        rule, start = rules.DEEPSEEK_REASONING_CONTENT, max((m.index for m in request.of('user')), default=0)
    elif request.family == 'kimi' and thinks:
        rule, start = rules.KIMI_REASONING_CONTENT, 0
    else:
        return
    for message in request.of('assistant'):
        if message.index >= start and message.calls and message.data.get('reasoning_content') is None:
            yield rule.broken(message.path, 'The message calls tools without its reasoning.', n=message.index)


def _minimax_and_qwen(request: _Request) -> Iterator[WireViolation]:
    calls = [call for message in request.messages for call in message.calls]
    arguments = {'minimax': rules.MINIMAX_ARGUMENTS, 'qwen': rules.QWEN_ARGUMENTS}.get(request.family)
    for call in calls if arguments else ():
        if arguments and not _is_json(call.arguments):
            path = (*call.path, 'function', 'arguments')
            yield arguments.broken(path, f'The arguments of call {call.id!r} are no JSON.', id=call.id)
    if request.family != 'minimax':
        return
    used: Counter[str] = Counter()
    for call in calls:
        used[call.id] += 1
        if not call.id:
            yield rules.MINIMAX_ID_INVALID.broken((*call.path, 'id'), 'The call id is empty.')
        elif used[call.id] == 2:
            message = f'The call id {call.id!r} occurs twice.'
            yield rules.MINIMAX_REPEATED_CALL_ID.broken((*call.path, 'id'), message)


def _is_json(value: object) -> bool:
    try:
        json.loads(value if isinstance(value, str) else '')
    except (ValueError, RecursionError):
        return False
    return True


def _glm(request: _Request) -> Iterator[WireViolation]:
    if request.family == 'glm' and request.messages and not request.of('user'):
        yield rules.GLM_NO_USER.broken(('messages',), 'There is no user message.')


def _templates(request: _Request) -> Iterator[WireViolation]:
    if request.family == 'qwen-template':
        for message in request.of('system'):
            if message.index:
                yield rules.TEMPLATE_SYSTEM_FIRST.broken(message.path, 'A system message is not the first one.')
    if request.family == 'alternating-template':
        spoken = [m for m in request.messages if m.role != 'tool' and not m.calls]
        expected = 'user'
        for message in spoken[1:] if spoken and spoken[0].role == 'system' else spoken:
            if message.role != expected:
                yield rules.TEMPLATE_ALTERNATE.broken(message.path, f'Expected the {expected} to speak.')
                return
            expected = 'assistant' if expected == 'user' else 'user'


_CHECKS: tuple[Callable[[_Request], Iterator[WireViolation]], ...] = (
    _no_messages,
    _content,
    _parts,
    _call_ids,
    _tool_names,
    _calls_and_results,
    _reasoning_fields,
    _reasoning_content,
    _minimax_and_qwen,
    _glm,
    _templates,
)
