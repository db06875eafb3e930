"""The pages of the rules, made from their docstrings: `python -m tests.rule_pages` renews them."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from pydantic_ai_history_repair import RULES
from pydantic_ai_history_repair.rules import Rule

FOLDER = Path(__file__).parents[1] / 'docs' / 'rules'
INDEX = FOLDER / 'index.md'

_TABLE = re.compile(r'(?<=<!-- table: rules -->\n).*?(?=<!-- end -->)', re.DOTALL)


def pages() -> dict[Path, str]:
    """What the page of each rule must say."""
    return {FOLDER / f'{rule.name}.md': page(rule) for rule in RULES}


def page(rule: Rule) -> str:
    """One rule's page: its docstring under a title."""
    return f'# {rule.name} ({rule.code})\n\nAdded in {rule.since}\n\n{_documentation(rule)}\n'


def with_table(index: str) -> str:
    """The text of the index with the table of rules made anew."""
    rows = [
        f'| {rule.code} | [{rule.name}]({rule.name}.md) | {_documentation(rule).splitlines()[0]} | {rule.since} |\n'
        for rule in sorted(RULES, key=lambda rule: rule.code)
    ]
    head = '| code | name | what it finds | added in |\n|---|---|---|---|\n'
    return _TABLE.sub(lambda _: head + ''.join(rows), index)


def _documentation(rule: Rule) -> str:
    return inspect.cleandoc(type(rule).__doc__ or '')


def main() -> None:
    """Write the pages, and remove those of rules that are gone."""
    made = pages()
    for stale in set(FOLDER.glob('*.md')) - {*made, INDEX}:
        stale.unlink()
    for path, text in made.items():
        path.write_text(text, encoding='utf-8')
    INDEX.write_text(with_table(INDEX.read_text(encoding='utf-8')), encoding='utf-8')


if __name__ == '__main__':
    main()
