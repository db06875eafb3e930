"""The page `docs/dialects.md`, made from the dialects: `python -m tests.dialect_tables` renews it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic_ai_history_repair.dialects import DIALECTS, FACTS, Dialect, NameFormat

PAGE: Final = Path(__file__).parents[1] / 'docs' / 'dialects.md'

_TABLES: Final = re.compile(r'(?<=<!-- tables: dialects -->\n).*?(?=<!-- end -->)', re.DOTALL)
_PREFERENCE: Final = ('portable', 'unknown')


def with_tables(page: str) -> str:
    """The text of the page with the tables made anew."""
    dialects = [dialect for name, dialect in DIALECTS.items() if name not in _PREFERENCE]
    return _TABLES.sub(lambda _: '\n'.join(map(_table, dialects)), page)


def _table(dialect: Dialect) -> str:
    source = f'[{dialect.title}]({dialect.source})' if dialect.source else dialect.title
    rows = ''.join(
        f'| `{fact}` | {_words(dialect, fact)} | [source]({dialect.sources[fact]}) |\n' for fact in dialect.facts
    )
    head = '| fact | what it demands | where it is from |\n|---|---|---|\n'
    return f"\n### `'{dialect.name}'`\n\n{source}. Compared with the sources on {dialect.checked}.\n\n{head}{rows}"


def _words(dialect: Dialect, fact: str) -> str:
    words = MEANINGS[fact].replace('\n', ' ')
    value: NameFormat | frozenset[str] | object = getattr(dialect, fact)
    if isinstance(value, NameFormat):
        length = f'{value.shortest} to {value.longest}' if value.shortest != value.longest else str(value.longest)
        return f'{words} `[{value.characters}]`, {length} characters.'
    refused = dialect.refused_text if fact == 'refused_text' else dialect.refused_result_text
    return (
        f'{words} Refused: {", ".join(sorted(refused))}.' if fact.startswith('refused') and value == refused else words
    )


def _meanings() -> Iterator[tuple[str, str]]:
    """The text under each field of `Dialect`."""
    for name, text in re.findall(r'^    (\w+): [^\n]*\n    """(.*?)"""', inspect.getsource(Dialect), re.M | re.S):
        if name in FACTS:
            yield name, ' '.join(text.split())


MEANINGS: Final = dict(_meanings())


if __name__ == '__main__':
    PAGE.write_text(with_tables(PAGE.read_text(encoding='utf-8')), encoding='utf-8')
