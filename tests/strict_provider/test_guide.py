"""The examples of the guide and of the docstring run."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_examples import CodeExample, EvalExample, find_examples

pytest_plugins = ['pytester']

ROOT = Path(__file__).parents[2]
EXAMPLES = list(
    find_examples(
        ROOT / 'docs' / 'guides' / 'strict-provider-server.md',
        ROOT / 'pydantic_ai_history_repair' / 'strict_provider' / '_server.py',
    )
)


def is_test(example: CodeExample) -> bool:
    return 'title="test_' in example.prefix


@pytest.mark.parametrize('example', [example for example in EXAMPLES if not is_test(example)], ids=str)
def test_example(example: CodeExample, eval_example: EvalExample) -> None:
    """The example prints what it says."""
    if eval_example.update_examples:
        eval_example.run_print_update(example)
    else:
        eval_example.run_print_check(example)


@pytest.mark.parametrize('example', [example for example in EXAMPLES if is_test(example)], ids=str)
def test_example_under_pytest(example: CodeExample, pytester: pytest.Pytester) -> None:
    """The example is a test that passes with the fixture of the plugin."""
    pytester.makepyfile(example.source)
    # In a process of its own, where warnings are errors: the SDK's connections are closed.
    outcome = pytester.runpytest_subprocess('-p', 'pytest_history_repair', '-W', 'error')
    outcome.assert_outcomes(passed=1, warnings=0)
