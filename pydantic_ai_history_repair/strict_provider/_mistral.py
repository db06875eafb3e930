"""Mistral chat completions: which request bodies the API refuses."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ._chat_messages import Message, exchanges, is_empty, read_messages
from ._json import Reader
from ._wire_rules import mistral as rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._json import Misfit
    from ._violations import WireViolation


def check(body: object, family: str) -> list[WireViolation]:
    """The violations of a Mistral chat completions body."""
    reader = Reader()
    messages = read_messages(body, reader)
    if reader.misfits:
        return [_malformed(misfit) for misfit in reader.misfits]
    return [violation for rule in _CHECKS for violation in rule(messages)]


def _malformed(misfit: Misfit) -> WireViolation:
    problem = 'Field required' if misfit.found == 'nothing' else f'Input should be a valid {misfit.expected}'
    return rules.MALFORMED_BODY.broken(misfit.path, f'Expected {misfit.expected}.', problem=problem)


def _no_messages(messages: list[Message]) -> Iterator[WireViolation]:
    if not messages:
        yield rules.NO_MESSAGES.broken(('messages',), 'There is no message.')


def _order(messages: list[Message]) -> Iterator[WireViolation]:
    for before, message in pairwise(messages):
        if message.role == 'tool' and before.role not in ('assistant', 'tool'):
            rule = rules.UNEXPECTED_TOOL
        elif message.role == 'user' and before.role == 'tool':
            rule = rules.USER_AFTER_TOOL
        elif message.role == 'system' and before.role in ('assistant', 'tool'):
            rule = rules.SYSTEM_MID
        else:
            continue
        yield rule.broken(message.path, f'A {message.role} message follows a {before.role} one.', before=before.role)


def _calls_and_results(messages: list[Message]) -> Iterator[WireViolation]:
    for asking, answers in exchanges(messages):
        asked = len(asking.calls) if asking else 0
        if asked != len(answers) and (asking is None or asking.role == 'assistant'):
            path = asking.path if asking else ('messages', 0)
            yield rules.CALL_RESULT_COUNT.broken(path, f'{len(answers)} tool messages follow {asked} calls.')
        expected = {call.id for call in asking.calls} if asking else set[str]()
        answered: set[str] = set()
        for answer in answers if expected else ():
            if answer.answers not in expected:
                message = f'The tool message for {answer.answers!r} does not follow its call.'
                yield rules.UNKNOWN_ID.broken(answer.path, message, id=answer.answers)
            elif answer.answers in answered:
                message = f'Call {answer.answers!r} is answered twice.'
                yield rules.DUPLICATE_RESULT.broken(answer.path, message, id=answer.answers)
            answered.add(answer.answers)


def _ids(messages: list[Message]) -> Iterator[WireViolation]:
    for message in messages:
        ids = [((*call.path, 'id'), call.id) for call in message.calls]
        if message.role == 'tool':
            ids.append(((*message.path, 'tool_call_id'), message.answers))
        for path, found in ids:
            if not re.fullmatch('[a-zA-Z0-9]{9}', found):
                yield rules.ID_NINE_ALNUM.broken(
                    path, f'The call id {found!r} is not nine letters or digits.', id=found
                )


def _content(messages: list[Message]) -> Iterator[WireViolation]:
    for message in messages:
        if message.role == 'assistant' and is_empty(message):
            yield rules.ASSISTANT_EMPTY.broken(message.path, 'The assistant message is empty.')


def _last_role(messages: list[Message]) -> Iterator[WireViolation]:
    last = messages[-1] if messages else None
    if last and last.role == 'assistant' and not last.calls and not last.data.get('prefix'):
        yield rules.LAST_ROLE.broken(last.path, 'The conversation ends on an assistant message.')


_CHECKS: tuple[Callable[[list[Message]], Iterator[WireViolation]], ...] = (
    _no_messages,
    _order,
    _calls_and_results,
    _ids,
    _content,
    _last_role,
)
