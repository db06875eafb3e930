"""What differs between the supported pydantic-ai releases, as answers.

The only module with version probes, private core names and type checker ignores for either. Each answer says the release from
which it is always true: once that release is the floor, the answer and its other branch can go.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, Literal, TypeGuard

import pydantic_ai
from pydantic_ai import messages as _messages
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # removable with core 3, which drops the part
    ToolReturnPart,
)

_VERSION: Final = tuple(int(number) for number in re.findall(r'\d+', pydantic_ai.__version__)[:2])

CORE_REPAIRS: Final = _VERSION >= (2, 10)
"""Core closes dangling calls itself, in stored history and on the outgoing copy. Removable at 2.10."""

MODEL_REQUEST_HOOK: Final[Literal['wrap', 'before', 'prepare']] = (
    'prepare' if _VERSION >= (2, 64) else 'before' if _VERSION >= (2, 54) else 'wrap'
)
"""The hook in which the outgoing messages may be changed without changing stored history. Removable at 2.64.

Up to 2.53 what `before_model_request` returns is persisted, and it runs outside the `chat` span; `wrap_model_request`
gets a copy that core has already normalised, inside it. From 2.54 `before_model_request` is request-only, and from 2.64
`prepare_model_request` runs per attempt, when the model that will answer is known.
"""

INTERRUPTED_OUTCOME: Final[Literal['success', 'interrupted']] = (
    'interrupted' if 'interrupted' in str(ToolReturnPart.__dataclass_fields__['outcome'].type) else 'success'
)
"""`outcome` of a synthesized tool return. Before 2.10 the literal has no `'interrupted'`, and a stored history that
used it would not load, so the metadata marker alone carries the claim. Removable at 2.10."""

INTERRUPTED_KEEPS_TOOL_KIND: Final = _VERSION >= (2, 58)
"""A synthesized return carries the `tool_kind` of its call. Before, core left it out, and a history in which such a
return has a kind does not load: the kind demands a content of its own. Removable at 2.58."""

CONTEXT_KNOWS_INSTRUMENTATION: Final = _VERSION >= (2, 52)
"""`RunContext.tracer` is a no-op exactly when the run is not instrumented. Before, it knew nothing of an
`Instrumentation` capability. Removable at 2.52."""


class _PartRoles(dict[type, int]):
    """The role of a part by its exact type, worked out once per type: the walk reads it for every part."""

    def __missing__(self, part_type: type) -> int:
        if issubclass(part_type, ToolReturnPart):
            role = RETURN
        elif issubclass(part_type, RetryPromptPart):  # pyright: ignore[reportDeprecated]  # removable with core 3
            role = RETRY
        else:
            role = OTHER
        self[part_type] = role
        return role


OTHER: Final = 0
RETURN: Final = 1
RETRY: Final = 2

PART_ROLES: Final = _PartRoles()
"""Maps a part's type to `RETURN`, `RETRY` (a tool result only when it names a tool) or `OTHER`.

Native parts, and part types newer than this package, are `OTHER`: nothing here ever touches those.
"""


def is_tool_result(part: object) -> TypeGuard[ToolReturnPart]:
    """Whether a part answers a regular tool call.

    A tool-bound `RetryPromptPart` does; it has every attribute of a return that this package reads, so it is typed as
    one. A retry that names no tool is feedback to the model, not an answer.
    """
    role = PART_ROLES[type(part)]
    return role == RETURN or (role == RETRY and getattr(part, 'tool_name', None) is not None)


def leads_merged_request(part: object) -> bool:
    """Whether core sorts a part to the front when it merges two requests: returns, and retries of either kind."""
    return PART_ROLES[type(part)] in (RETURN, RETRY)


def stays_between_results(part: object) -> bool:
    """Whether core leaves a part where it is when it gathers a request's tool results.

    A tool availability delta (since 2.23) is rendered by the model where it stands.
    """
    return getattr(part, 'part_kind', None) == 'tool-availability-delta' or is_tool_result(part)


def is_plain_feedback(part: object) -> bool:
    """Whether a part is the framework asking the model to try again, bound to no tool call."""
    return getattr(part, 'part_kind', None) == 'retry-feedback' or (
        PART_ROLES[type(part)] == RETRY and not is_tool_result(part)
    )


def retry_text(part: ToolReturnPart) -> str | None:
    """What a `RetryPromptPart` asks for, as text, or `None` for any other part."""
    if PART_ROLES[type(part)] != RETRY:
        return None
    content: Any = part.content
    return content if isinstance(content, str) else str(getattr(part, 'model_response')())  # noqa: B009


def is_untyped_result(part: ToolReturnPart) -> bool:
    """Whether a result's content may be anything: the results of core's own tools have a schema that loading checks."""
    return type(part) in _UNTYPED_RESULTS and getattr(part, 'tool_kind', None) is None


_UNTYPED_RESULTS: Final = (ToolReturnPart, RetryPromptPart)  # pyright: ignore[reportDeprecated]  # removable with core 3


def with_fields(part: Any, **changes: object) -> Any:
    """A copy of a part with other values in some fields.

    Making a `RetryPromptPart` warns in newer cores, even for one that a stored history holds.
    """
    if PART_ROLES[type(part)] != RETRY:
        return replace(part, **changes)
    changed: Any = object.__new__(RetryPromptPart)  # pyright: ignore[reportDeprecated]  # removable with core 3
    changed.__dict__.update({**part.__dict__, **changes})
    return changed


def message_state(message: ModelRequest | ModelResponse) -> str:
    """`'complete'`, or how a message was cut short. Requests have no state before 2.0."""
    return getattr(message, 'state', 'complete')


def result_content(part: ToolReturnPart) -> tuple[str, list[Any]]:
    """What a result tells the model: its text, and the files in it. A `RetryPromptPart` has text alone."""
    text = retry_text(part)
    return (part.model_response_str(), [*part.files]) if text is None else (text, [])


def spoken_as_system(part: object) -> str | None:
    """What a part of a request that is no system prompt says in the system's voice, `None` if it does not.

    From 2.60 or so core asks for another answer in that voice, when there was none to use at all.
    """
    if not is_plain_feedback(part):
        return None
    feedback: Any = part
    cause = getattr(getattr(feedback, 'retry', None), 'cause', None)
    is_legacy = PART_ROLES[type(part)] == RETRY and isinstance(feedback.content, str)
    return feedback.model_response() if cause == 'no_output' or (is_legacy and _RENDERS_FEEDBACK) else None


_RENDERS_FEEDBACK: Final = hasattr(_messages, 'RetryFeedbackPart')
"""Core translates a `RetryPromptPart` that names no tool as it does its own feedback. Removable with core 3."""
