"""The facts of the dialects, and the page that lists them."""

from __future__ import annotations

import pytest

from pydantic_ai_history_repair import RULES
from pydantic_ai_history_repair.dialects import DIALECTS, FACTS, Dialect

from .dialect_tables import MEANINGS, PAGE, with_tables


def test_page_is_fresh():
    """The page says what the dialects say."""
    page = PAGE.read_text(encoding='utf-8')
    assert page == with_tables(page), 'renew it with `python -m tests.dialect_tables`'


@pytest.mark.parametrize('dialect', DIALECTS.values(), ids=lambda dialect: dialect.name)
def test_each_fact_has_a_source(dialect: Dialect):
    """Nothing is demanded without a place where it can be read, and no source is without its fact."""
    assert set(dialect.facts) == set(dialect.sources)
    assert all(source.startswith('https://') for source in dialect.sources.values())


@pytest.mark.parametrize('fact', FACTS)
def test_each_fact_is_read_by_the_rules_it_names(fact: str):
    """A fact says what it is about and which rules go by it, and there are such rules."""
    codes = {
        code
        for code in MEANINGS[fact].replace(')', ' ').replace(',', ' ').replace('(', ' ').split()
        if code[:2] == 'HR'
    }
    assert codes
    assert codes <= {rule.code for rule in RULES}
