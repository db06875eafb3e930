"""Every dialect by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ._base import Dialect
from ._combined import strictest
from .anthropic import ANTHROPIC, MINIMAX_ANTHROPIC
from .bedrock import BEDROCK, BEDROCK_NOVA
from .google import GOOGLE, GOOGLE_VERTEX
from .mistral import MISTRAL
from .openai_chat import (
    DEEPSEEK,
    GLM,
    GROQ,
    KIMI,
    MINIMAX,
    MISTRAL_COMPATIBLE,
    OPENAI_CHAT,
    QWEN,
    QWEN_TEMPLATE,
    XAI,
)
from .openai_responses import OPENAI_RESPONSES

_APIS: Final = (ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, GOOGLE, BEDROCK, MISTRAL)
_FAMILIES: Final = (GROQ, DEEPSEEK, KIMI, QWEN, GLM, MINIMAX, XAI, GOOGLE_VERTEX, BEDROCK_NOVA)
_BORROWED: Final = (MINIMAX_ANTHROPIC, MISTRAL_COMPATIBLE, QWEN_TEMPLATE)
"""Endpoints that borrow an API and change what its own vendor accepts, so that hardly any history is valid for both."""

PORTABLE: Final = strictest([*_APIS, *_FAMILIES], name='portable', title='Valid for every API')

UNKNOWN: Final = Dialect(name='unknown', title='A model that is not known', api='unknown', source=None)

DIALECTS: Final[Mapping[str, Dialect]] = MappingProxyType(
    {dialect.name: dialect for dialect in (PORTABLE, *_APIS, *_FAMILIES, *_BORROWED, UNKNOWN)}
)


def resolve_dialect(dialect: Dialect | str | None) -> Dialect | None:
    """The dialect a user named.

    Raises:
        ValueError: If there is no dialect of that name.
    """
    if dialect is None or isinstance(dialect, Dialect):
        return dialect
    if dialect not in DIALECTS:
        raise ValueError(f'`dialect` must be one of {", ".join(map(repr, DIALECTS))} or `None`, got {dialect!r}.')
    return DIALECTS[dialect]
