from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pydantic_ai.models
import pytest

# The matrix of Pydantic AI releases has neither the providers' SDKs nor pytest-examples.
_SDKS = ('anthropic', 'boto3', 'google', 'groq', 'mistralai', 'openai')
_NEEDS = {'test_adapters.py': _SDKS, 'test_guide.py': (*_SDKS, 'pytest_examples')}
collect_ignore = [name for name, modules in _NEEDS.items() if not all(map(find_spec, modules))]

CALIBRATION = pytest.StashKey[list[str]]()


@pytest.fixture(autouse=True)
def allow_model_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """The models here talk to loopback only."""
    monkeypatch.setattr(pydantic_ai.models, 'ALLOW_MODEL_REQUESTS', True)


@pytest.fixture(scope='session')
def shared() -> Path:
    """The folder with recorded traffic and the rule catalogue, which is not part of the repository."""
    beside = Path(__file__).parents[2].parent / 'shared'
    folder = Path(os.environ.get('HISTORY_REPAIR_SHARED', beside))
    if not folder.is_dir():
        pytest.skip(f'no recordings at {folder}: set HISTORY_REPAIR_SHARED to their folder')
    return folder


@pytest.fixture
def calibration(request: pytest.FixtureRequest) -> list[str]:
    """Lines of the table that ends up in the test output."""
    return request.config.stash.setdefault(CALIBRATION, [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print how the recorded requests were judged."""
    lines = config.stash.get(CALIBRATION, list[str]())
    if lines:
        terminalreporter.section('strict provider: recorded requests')
        terminalreporter.write_line(f'{"recordings":<40} {"requests":>8} {"accepted":>8} {"flagged":>8} {"refused":>8}')
        for line in lines:
            terminalreporter.write_line(line)
