"""Every rule has a page, and the page says what the rule's docstring says."""

from __future__ import annotations

import pytest

from pydantic_ai_history_repair import RULES
from pydantic_ai_history_repair.rules import Rule

from .rule_pages import FOLDER, INDEX, page, pages, with_table

HINT = 'renew with `python -m tests.rule_pages`'
NAVIGATION = FOLDER.parents[1] / 'mkdocs.yml'


@pytest.mark.parametrize('rule', RULES, ids=lambda rule: rule.code)
def test_page_is_fresh(rule: Rule):
    """A rule's page is its docstring."""
    path = FOLDER / f'{rule.name}.md'
    assert path.is_file(), f'no page for {rule.code}: {HINT}'
    assert path.read_text(encoding='utf-8') == page(rule), HINT


def test_no_page_without_a_rule():
    """A rule that is gone has left no page behind."""
    assert set(FOLDER.glob('*.md')) == {*pages(), INDEX}, HINT


def test_table_is_fresh():
    """The index lists every rule, by code."""
    index = INDEX.read_text(encoding='utf-8')
    assert with_table(index) == index, HINT
    assert all(f'| {rule.code} | ' in index for rule in RULES)


@pytest.mark.parametrize('rule', RULES, ids=lambda rule: rule.code)
def test_page_is_in_the_navigation(rule: Rule):
    """The site leads to every rule, by code and name."""
    entry = f'- {rule.code} {rule.name}: rules/{rule.name}.md'
    assert entry in NAVIGATION.read_text(encoding='utf-8'), f'add `{entry}` to mkdocs.yml'


@pytest.mark.parametrize('rule', RULES, ids=lambda rule: rule.code)
def test_page_has_every_heading(rule: Rule):
    """Each rule answers the same questions, in the same order."""
    expected = [
        '## Why providers reject it',
        '## Example',
        '## What the repair does',
        '## What it never does',
        '## Dialects',
    ]
    assert [line for line in page(rule).splitlines() if line in expected] == expected
