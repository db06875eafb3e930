"""The page `docs/what-is-repaired.md`, made from what the targets do; run as a module to renew it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pydantic_ai

from .outcomes import outcomes
from .reported import REPORTED, RULES_BROKEN, Shape
from .targets import TARGETS

PAGE: Final = Path(__file__).parents[2] / 'docs' / 'what-is-repaired.md'

_PAGE: Final = """\
# What is repaired

Measured with Pydantic AI {version}: each broken history below is run through its newest adapters, and the
[strict provider](strict-provider.md) judges the first request that leaves. Of {all} cases, it takes {ok} from Pydantic AI
alone, and {repaired} more with `RepairHistory`. {raises} are refused by Pydantic AI itself, since calls may be waiting for
an approval, and {refused} cannot be repaired. The strict provider is a simulation: it knows the documented and the
reported rules, not all that a provider does.

| in the tables | what it means |
|---|---|
| `ok` | Pydantic AI's request is accepted without this package. |
| **`repaired`** | It is refused; with `RepairHistory` it is accepted. |
| `raises` | Pydantic AI raises `UserError` before a request is made, with this package as without. |
| `refused` | It is refused with this package too, which reports why. |

## Reported histories

{reported}

## Broken rules

{rules}
"""


def page() -> str:
    """What the page must say."""
    count = Counter(outcome.word for target in TARGETS for outcome in outcomes(target).values())
    words = {word: count[word] for word in ('ok', 'repaired', 'raises', 'refused')}
    return _PAGE.format(
        version=pydantic_ai.__version__,
        all=count.total(),
        reported=_table(REPORTED),
        rules=_table(RULES_BROKEN),
        **words,
    )


def version_of(page: str) -> str:
    """The Pydantic AI release that a page was made with."""
    found = re.search(r'Pydantic AI (\S+): ', page)
    assert found, 'the page names no release'
    return found[1]


def _table(shapes: Sequence[Shape]) -> str:
    rows = [['history', *(f'`{target}`' for target in TARGETS)], ['---'] * (len(TARGETS) + 1)]
    for shape in shapes:
        words = [outcomes(target)[shape.name].word for target in TARGETS]
        cells = ['**`repaired`**' if word == 'repaired' else f'`{word}`' for word in words]
        rows.append([f'[{shape.name}]({shape.source})', *cells])
    return '\n'.join(f'| {" | ".join(row)} |' for row in rows)


if __name__ == '__main__':
    PAGE.write_text(page(), encoding='utf-8')
