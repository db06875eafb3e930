"""Prints each benchmark as a ratio to core's own time for the same history, from the same run."""

from __future__ import annotations

import pytest

TIMES = pytest.StashKey[dict[tuple[str, str], float]]()
BUDGETS = {
    'repair_history, sound': 0.5,
    'repair_history, broken': 1.0,
    'check_history, sound': 0.7,
    'check_history, broken': 0.7,
}


@pytest.fixture
def times(request: pytest.FixtureRequest) -> dict[tuple[str, str], float]:
    """The shortest time of each function on each history, in seconds."""
    return request.config.stash.setdefault(TIMES, {})


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the ratios, with the budget of each."""
    times = config.stash.get(TIMES, dict[tuple[str, str], float]())
    terminalreporter.section("time as a ratio to core's `repair_messages` on the same history")
    for (function, history), seconds in times.items():
        if function != 'repair_messages' and ('repair_messages', history) in times:
            kind, size = history.split()
            label = f'{function}, {kind}'
            ratio = seconds / times['repair_messages', history]
            terminalreporter.write_line(f'{label:<24} {size:>6} messages {ratio:6.2f}   budget {BUDGETS[label]}')
    if seconds := times.get(('import', 'package')):
        terminalreporter.write_line(f'import, on top of `import pydantic_ai`: {seconds * 1000:.1f} ms   budget 15 ms')
