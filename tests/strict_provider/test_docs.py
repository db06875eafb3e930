from __future__ import annotations

from pathlib import Path

import pytest
from pytest_examples import CodeExample, EvalExample, find_examples

from .rule_tables import PAGE, renew

PACKAGE = Path(__file__).parents[2] / 'pydantic_ai_history_repair' / 'strict_provider'


@pytest.mark.parametrize('example', list(find_examples(PAGE, PACKAGE / '_check.py')), ids=str)
def test_example_runs(example: CodeExample, eval_example: EvalExample) -> None:
    """What the documentation shows runs, and prints what it says."""
    eval_example.set_config(line_length=120, quotes='single', target_version='py310')
    eval_example.lint_ruff(example)
    eval_example.run_print_check(example)


def test_tables_are_fresh() -> None:
    """The tables say what the data says; `python -m tests.strict_provider.rule_tables` renews them."""
    page = PAGE.read_text(encoding='utf-8')
    assert renew(page) == page
