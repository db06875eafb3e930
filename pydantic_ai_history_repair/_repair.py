"""Looks at a history, and makes it valid."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast, get_args

from pydantic_ai.messages import ModelMessage

from ._edits import Edits
from ._findings import Finding, Repair, RepairReport
from ._history import History
from ._terms import OrphanedResults, Terms, resolve_orphaned_results
from .dialects import Dialect, resolve_dialect
from .rules import RULES, Phase, Rule


def check_history(
    messages: Sequence[ModelMessage],
    *,
    dialect: Dialect | str | None = 'portable',
    repair_last_response: bool = True,
    rules: Sequence[Rule] = RULES,
) -> list[Finding]:
    """Everything that the rules find wrong with a history. Changes nothing.

    Judged is what the history itself decides, and what Pydantic AI's own adapters do not see to: which result answers which
    call, ids and names, blank text, thinking, and the order of it all. Not judged are the media in it, whether a signature
    is genuine, and what only the request decides.

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, UserPromptPart

    from pydantic_ai_history_repair import check_history

    messages = [
        ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
        ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
        ModelRequest(parts=[UserPromptPart('Never mind.')]),
    ]
    for finding in check_history(messages, dialect='anthropic'):
        print(finding.code, finding.location, finding.message)
        #> HR101 /1/parts/0 Tool call 'call_1' to 'get_weather' is never answered.
    ```

    Args:
        messages: The history, as `ModelMessage`s.
        dialect: The wire API to judge by: a name such as `'anthropic'`, or `'portable'` for what every API accepts.
            `None` judges by the provider-neutral rules only.
        repair_last_response: Whether calls in the last response count when nothing answers them. Pass `False` for a
            history that is still going on: those calls may yet be executed or get deferred results.
        rules: The rules to judge by.

    Returns:
        The findings, in order of their place in `messages`.

    Raises:
        TypeError: If `messages` is not a sequence of Pydantic AI messages, or `rules` holds codes.
        ValueError: If `dialect` names no known dialect.
    """
    terms = Terms(resolve_dialect(dialect), repair_last_response)
    outcome = _run(_as_list(messages), rules, terms)
    return sorted([*(repair.finding for repair in outcome.repairs), *outcome.remaining], key=_place)


def is_provider_valid(
    messages: Sequence[ModelMessage],
    *,
    dialect: Dialect | str | None = 'portable',
    repair_last_response: bool = True,
) -> bool:
    """Whether `check_history` finds nothing. Changes nothing.

    See there for what is judged and what is not.

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, UserPromptPart

    from pydantic_ai_history_repair import is_provider_valid

    messages = [
        ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
        ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
    ]
    print(is_provider_valid(messages))
    #> False
    print(is_provider_valid(messages, repair_last_response=False))
    #> True
    ```

    Args:
        messages: The history, as `ModelMessage`s.
        dialect: As for `check_history`.
        repair_last_response: As for `check_history`.

    Raises:
        TypeError: If `messages` is not a sequence of Pydantic AI messages.
        ValueError: If `dialect` names no known dialect.
    """
    return not check_history(messages, dialect=dialect, repair_last_response=repair_last_response)


def repair_history(
    messages: Sequence[ModelMessage],
    *,
    dialect: Dialect | str | None = None,
    repair_last_response: bool = True,
    rules: Sequence[Rule] = RULES,
    orphaned_results: OrphanedResults = 'drop',
) -> RepairReport:
    """Make a history valid, and say what was done.

    The input is never changed. When there is nothing to repair, `report.messages` is the list that was passed in, and
    messages that need no repair are the same objects. The repair is deterministic, and repairing twice equals
    repairing once.

    ```python
    from pydantic_ai.messages import ModelRequest, ModelResponse, ToolCallPart, UserPromptPart

    from pydantic_ai_history_repair import repair_history

    report = repair_history(
        [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(parts=[ToolCallPart('get_weather', {'city': 'Paris'}, tool_call_id='call_1')]),
            ModelRequest(parts=[UserPromptPart('Never mind.')]),
        ]
    )
    print(report.counts)
    #> {'HR101': 1}
    print([part.part_kind for part in report.messages[2].parts])
    #> ['tool-return', 'user-prompt']
    ```

    Args:
        messages: The history, as `ModelMessage`s.
        dialect: The wire API to repair for. `None` applies the provider-neutral rules only: what may be stored.
        repair_last_response: Whether to close calls in the last response. Pass `False` to leave that live frontier
            alone: those calls may yet be executed or get deferred results.
        rules: The rules to apply, in this order.
        orphaned_results: What becomes of a tool result without its call. `'drop'` removes it; `'note'` keeps its content
            as user text, fenced and marked as the result of a tool.

    Raises:
        TypeError: If `messages` is not a sequence of Pydantic AI messages, or `rules` holds codes.
        ValueError: If `dialect` names no known dialect, or `orphaned_results` is something else.
    """
    orphans = resolve_orphaned_results(orphaned_results)
    return repair_on_terms(messages, Terms(resolve_dialect(dialect), repair_last_response, orphans), rules)


def repair_on_terms(messages: Sequence[ModelMessage], terms: Terms, rules: Sequence[Rule]) -> RepairReport:
    """`repair_history` for callers that know the request too."""
    before = _as_list(messages)
    outcome = _run(before, rules, terms)
    remaining = outcome.remaining
    if remaining and outcome.messages is not before:
        remaining = _run(outcome.messages, rules, terms).remaining  # the same ones, where they are now
    return RepairReport(
        messages=outcome.messages,
        repairs=tuple(sorted(outcome.repairs, key=_place)),
        remaining=tuple(sorted(remaining, key=_place)),
        first_changed_message=_first_difference(before, outcome.messages) if outcome.messages is not before else None,
        undeclared_tools=outcome.undeclared_tools,
    )


class _Outcome(NamedTuple):
    messages: list[ModelMessage]
    repairs: list[Repair]
    remaining: list[Finding]
    undeclared_tools: tuple[str, ...]


def _run(messages: list[ModelMessage], rules: Sequence[Any], terms: Terms) -> _Outcome:
    history = History(messages, terms)
    repairs: list[Repair] = []
    remaining: list[Finding] = []
    undeclared_tools: tuple[str, ...] = ()
    for phase in _phases(tuple(rules), terms.dialect is None):
        edits = Edits(history)
        for rule in phase:
            if findings := rule.check(history):
                fixable = [finding for finding in findings if finding.fixable]
                remaining += [history.in_input(finding) for finding in findings if not finding.fixable]
                if fixable:
                    repairs += [history.in_input(repair) for repair in rule.fix(history, fixable, edits)]
        undeclared_tools += edits.declared
        if edits:
            history = edits.apply()
    return _Outcome(history.messages, repairs, remaining, undeclared_tools)


@lru_cache
def _phases(rules: tuple[Any, ...], neutral: bool) -> list[list[Rule]]:
    """The rules to run, phase by phase.

    Raises:
        TypeError: If they are the codes of rules, as `ignore` takes them.
    """
    phases: dict[Phase, list[Rule]] = {phase: [] for phase in get_args(Phase)}
    for rule in rules:
        if isinstance(rule, str):
            raise TypeError(f'`rules` must hold rules, such as those of `RULES`, not their codes, got {rule!r}.')
        if rule.scope == 'neutral' or not neutral:
            phases[rule.phase].append(rule)
    return [phase for phase in phases.values() if phase]


def _place(found: Finding | Repair) -> tuple[int, int]:
    message, part = found.location
    return message, -1 if part is None else part


def _first_difference(before: list[ModelMessage], after: list[ModelMessage]) -> int:
    return next(
        (index for index, (old, new) in enumerate(zip(before, after, strict=False)) if old is not new),
        min(len(before), len(after)),
    )


def _as_list(messages: Any) -> list[ModelMessage]:
    if isinstance(messages, list):
        return cast(list[ModelMessage], messages)
    if isinstance(messages, Sequence) and not isinstance(messages, str | bytes | bytearray):
        return list(cast(Sequence[ModelMessage], messages))
    raise TypeError(f'`messages` must be a sequence of messages, got {type(messages).__name__!r}.')
