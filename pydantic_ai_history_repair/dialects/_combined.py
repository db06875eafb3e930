"""A dialect that is valid for several at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import printable
from typing import Any, Final

from ._base import FACTS, Dialect, NameFormat

_UNIONS: Final = ('refused_text', 'refused_result_text')


def strictest(dialects: Sequence[Dialect], *, name: str | None = None, title: str | None = None) -> Dialect:
    """A dialect whose histories are valid for every one of `dialects`.

    Args:
        dialects: At least one. A single one, or the same one several times, comes back as it is.
        name: The name of the result, instead of theirs joined by `+`.
        title: The title of the result, instead of theirs joined by `+`.
    """
    distinct = list({dialect.name: dialect for dialect in dialects}.values())
    if len(distinct) == 1 and name is None:
        return distinct[0]
    facts: dict[str, Any] = {fact: _strictest([getattr(dialect, fact) for dialect in distinct], fact) for fact in FACTS}
    sources: dict[str, str] = {}
    for dialect in distinct:
        sources |= dialect.sources
    return Dialect(
        name=name or '+'.join(dialect.name for dialect in distinct),
        title=title or ' + '.join(dialect.title for dialect in distinct),
        api='+'.join(dict.fromkeys(dialect.api for dialect in distinct)),
        source=None,
        own_providers=frozenset[str]().union(*(dialect.own_providers for dialect in distinct)),
        sources=sources,
        **facts,
    )


def _strictest(values: Sequence[Any], fact: str) -> Any:
    if fact in _UNIONS:
        return frozenset[str]().union(*values)
    demanded = [value for value in values if value]
    if all(isinstance(value, NameFormat) for value in demanded) and demanded:
        return _narrowest(demanded)
    if all(isinstance(value, Mapping) for value in demanded) and demanded:
        return demanded[0]
    if len(set(demanded)) > 1:
        return '|'.join(demanded)  # regular expressions
    return demanded[0] if demanded else values[0]


def _narrowest(formats: Sequence[NameFormat]) -> NameFormat:
    """What fits every format: the characters they share, within the lengths they share."""
    formats = list(dict.fromkeys(formats))
    shared = [char for char in printable if all(re.fullmatch(f'[{given.characters}]', char) for given in formats)]
    most_restrictive = min(
        formats, key=lambda given: sum(bool(re.fullmatch(f'[{given.characters}]', char)) for char in printable)
    )
    allowed = sum(bool(re.fullmatch(f'[{most_restrictive.characters}]', char)) for char in printable)
    characters = most_restrictive.characters if allowed == len(shared) else re.escape(''.join(shared))
    longest = min(given.longest for given in formats)
    return NameFormat(characters, longest, min(max(given.shortest for given in formats), longest))
