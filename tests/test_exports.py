"""The public names are what they say they are."""

from __future__ import annotations

import inspect
from importlib.metadata import version

import pydantic_ai_history_repair as package


def test_all_is_sorted_and_true():
    """`__all__` is sorted (constants, classes, the rest), and names everything that the root exports."""
    exported = {
        name for name, value in vars(package).items() if not name.startswith('_') and not inspect.ismodule(value)
    }
    assert list(package.__all__) == sorted(
        package.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )
    assert set(package.__all__) == exported | {'__version__'}


def test_version_is_the_distributions():
    """The version in the code is the version that is installed."""
    assert package.__version__ == version('pydantic-ai-history-repair')


def test_public_names_are_documented():
    """Every public class and function says what it is, with an example where it is called."""
    for name in package.__all__:
        value = getattr(package, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, name
    for function in (package.check_history, package.repair_history, package.dialect_for, package.history_processor):
        assert '```python' in (function.__doc__ or '')
