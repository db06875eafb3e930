"""What the documentation shows runs, and prints what it says."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pydantic_ai.models
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.messages import ModelRequest, ToolReturnPart

from pydantic_ai_history_repair import RepairHistory

from .agents import ScriptedModel, calls, returns, says, user
from .rule_pages import pages

pytest_examples = pytest.importorskip('pytest_examples')

if TYPE_CHECKING:
    from pytest_examples import CodeExample, EvalExample

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / 'pydantic_ai_history_repair'

RUN_ELSEWHERE = {
    *pages(),  # the docstrings of the rules again
    ROOT / 'docs' / 'strict-provider.md',
    ROOT / 'docs' / 'guides' / 'strict-provider-server.md',
    PACKAGE / 'strict_provider' / '_check.py',
    PACKAGE / 'strict_provider' / '_server.py',
}
SOURCES = [ROOT / 'README.md', *sorted((ROOT / 'docs').rglob('*.md')), *sorted(PACKAGE.rglob('*.py'))]
EXAMPLES: list[CodeExample] = list(
    pytest_examples.find_examples(*(path for path in SOURCES if path not in RUN_ELSEWHERE))
)


def imports(example: CodeExample, module: str) -> bool:
    return re.search(rf'^ *(from|import) {re.escape(module)}\b', example.source, re.MULTILINE) is not None


def needs_own_process(example: CodeExample) -> bool:
    """Logfire sets up a whole process."""
    return imports(example, 'logfire')


@pytest.fixture(autouse=True)
def loop_of_its_own() -> Iterator[None]:
    """A loop for `run_sync`, which would leave the one it makes open."""
    with asyncio.Runner() as runner:
        asyncio.set_event_loop(runner.get_loop())
        yield


@pytest.fixture
def files(example: CodeExample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A working directory with the files that the example's page shows."""
    monkeypatch.chdir(tmp_path)
    for name, text in re.findall(r'```yaml title="(.+?)"\n(.*?)```', example.path.read_text('utf-8'), re.DOTALL):
        (tmp_path / name).write_text(text, encoding='utf-8')


@pytest.mark.usefixtures('files')
@pytest.mark.parametrize('example', [example for example in EXAMPLES if not needs_own_process(example)], ids=str)
def test_example(example: CodeExample, eval_example: EvalExample, monkeypatch: pytest.MonkeyPatch):
    """The example prints what it says; a model may be asked only where a strict provider answers."""
    if imports(example, 'pydantic_ai_history_repair.strict_provider'):
        for module in ('anthropic', 'openai'):
            if imports(example, f'pydantic_ai.models.{module}') and not find_spec(module):
                pytest.skip(f'no {module} SDK')
        monkeypatch.setattr(pydantic_ai.models, 'ALLOW_MODEL_REQUESTS', True)
    eval_example.set_config(line_length=120, quotes='single')
    if eval_example.update_examples:
        eval_example.run_print_update(example)
    else:
        eval_example.run_print_check(example)


@pytest.mark.skipif(not find_spec('logfire'), reason='no Logfire SDK')
@pytest.mark.parametrize('example', [example for example in EXAMPLES if needs_own_process(example)], ids=str)
def test_example_in_its_own_process(example: CodeExample, tmp_path: Path):
    """The example runs, and prints its lines among what the console exporter prints."""
    environment = {**os.environ, 'PYTHONPATH': str(ROOT), 'LOGFIRE_TOKEN': '', 'PYTHONUTF8': '1'}
    run = subprocess.run(
        [sys.executable, '-W', 'error', '-c', example.source],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        encoding='utf-8',
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    expected = re.findall(r'^ *#> (.*)$', example.source, re.MULTILINE)
    assert [line for line in run.stdout.splitlines() if line in expected] == expected


def time_bucket(width: str, time: str) -> str:
    return time


@pytest.fixture
def logfire_tables(spans: InMemorySpanExporter) -> Iterator[sqlite3.Connection]:
    """The tables of Logfire, as far as the queries of the guide read them, with the spans of one repaired run."""
    if sqlite3.sqlite_version_info < (3, 38):
        pytest.skip('SQLite has no `->>` before 3.38')
    agent = Agent(ScriptedModel().model(), name='weather', capabilities=[Instrumentation(), RepairHistory()])
    twice = ModelRequest(parts=[ToolReturnPart('act', text, tool_call_id='b') for text in ('one', 'two')])
    history = [user('one'), calls('a'), user('two'), calls('b'), twice, says(model_name='m'), returns('gone'), says()]
    agent.run_sync('go on', message_history=history)
    connection = sqlite3.connect(':memory:')
    connection.create_function('time_bucket', 2, time_bucket)
    connection.execute('CREATE TABLE records (start_timestamp, trace_id, span_id, attributes)')
    connection.execute('CREATE TABLE metrics (metric_name, attributes, scalar_value)')
    for span in spans.get_finished_spans():
        assert span.context
        row = ('2026-01-01', f'{span.context.trace_id:032x}', f'{span.context.span_id:016x}')
        connection.execute('INSERT INTO records VALUES (?, ?, ?, ?)', (*row, json.dumps(dict(span.attributes or {}))))
    yield connection
    connection.close()


def test_queries_of_the_guide(logfire_tables: sqlite3.Connection):
    """The queries name attributes that a repaired run sets, and count each repair once."""
    guide = (ROOT / 'docs' / 'guides' / 'telemetry.md').read_text(encoding='utf-8')
    # SQLite would read a dot as a step into an object.
    queries = re.sub(r"->>'(.*?)'", r"""->>'$."\1"'""", guide)
    per_day, per_agent, in_a_row, dangling, cache, failures, counter = [
        logfire_tables.execute(query).fetchall() for query in re.findall(r'```sql\n(.*?)```', queries, re.DOTALL)
    ]
    assert per_day == [('2026-01-01', 1, 1, None, 1, None)]
    assert per_agent == [('weather', 1, 1, 3)]
    assert [row[3:] for row in dangling] == [('run_start', '["a","b","gone"]')]
    assert [row[1] for row in cache] == [2]
    assert in_a_row == failures == counter == []
