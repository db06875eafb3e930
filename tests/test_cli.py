"""The command line: `demo`, and what every command shares."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pydantic_ai.models
import pytest
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelRequest, ModelResponse, ThinkingPart, UserPromptPart

from pydantic_ai_history_repair import __version__, repair_history
from pydantic_ai_history_repair._cli import _terminal, demo, main
from pydantic_ai_history_repair._cli._files import read_history
from pydantic_ai_history_repair.strict_provider import ProviderError

from .agents import calls, returns, says, shape, user


@pytest.fixture
def needs_adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models here talk to loopback only, through adapters that need their providers' SDKs."""
    for module in ('anthropic', 'boto3', 'google.genai', 'mistralai', 'openai'):
        pytest.importorskip(module)
    monkeypatch.setattr(pydantic_ai.models, 'ALLOW_MODEL_REQUESTS', True)


@pytest.mark.usefixtures('needs_adapters')
def test_demo(capsys: pytest.CaptureFixture[str]):
    """The bundled conversation is refused without the capability, accepted with it, and the trace shows why."""
    assert main(['demo']) == 0
    out = capsys.readouterr().out
    refused, accepted, repaired, trace = (out.split('\n\n1. ')[1]).split('\n\n', 1)[1].split('\n\n2. ')[0:1] + [
        part.split('\n\n', 1)[1] for part in (out.split('\n\n2. ')[1], out.split('\n\n3. ')[1], out.split('\n\n4. ')[1])
    ]
    assert refused.startswith('   POST /v1/messages -> 400\n')
    assert '`tool_use` ids were found without `tool_result` blocks' in refused
    assert 'each tool_use must have a single result' in refused
    assert accepted.startswith('   POST /v1/messages -> 200\n')
    assert '"So, where are we?"' in accepted
    assert [line.split()[0] for line in repaired.split('\n\n')[0].splitlines()] == ['HR103', 'HR104', 'HR101', 'HR102']
    assert 'chat claude-sonnet-5' in trace
    assert 'pydantic_ai.history_repair.total = 4' in trace
    assert 'Chez Jeanne' not in trace


@pytest.mark.usefixtures('needs_adapters')
@pytest.mark.parametrize('dialect', ['openai-chat', 'openai-responses', 'google', 'bedrock', 'mistral'])
def test_demo_on_each_dialect(dialect: str, capsys: pytest.CaptureFixture[str]):
    """Every API refuses the bundled conversation as it is, and accepts it repaired."""
    assert main(['demo', '--dialect', dialect]) == 0
    out = capsys.readouterr().out
    assert out.count('-> 400') == 1
    assert out.count('-> 200') == 1


@pytest.mark.usefixtures('needs_adapters')
def test_demo_with_ones_own_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A user's own file is sent in place of the bundled one; calls that core refuses to go on with are closed."""
    path = tmp_path / 'mine.json'
    path.write_bytes(ModelMessagesTypeAdapter.dump_json([user('one'), calls('mine')]))
    assert main(['demo', '--history', str(path), '--prompt', 'And now?']) == 1
    assert capsys.readouterr().out.count('refused before it was sent') == 2
    assert main(['demo', '--history', str(path), '--unanswered-calls', 'close']) == 0
    out = capsys.readouterr().out
    assert "capabilities=[RepairHistory(unanswered_calls='close')]" in out
    assert 'refused before it was sent: UserError: Cannot provide a new user prompt' in out
    assert 'HR101  dangling-tool-call     /1/parts/0   synthesized  mine' in out


@pytest.mark.usefixtures('needs_adapters')
def test_demo_of_what_core_repairs_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Where both are accepted the demo says what the difference is."""
    path = tmp_path / 'mine.json'
    path.write_bytes(ModelMessagesTypeAdapter.dump_json([user('one'), calls('a'), user('two'), says()]))
    assert main(['demo', '--history', str(path)]) == 0
    out = capsys.readouterr().out
    assert out.count('-> 200') == 2
    assert 'Pydantic AI has repaired this by itself.' in out


@pytest.mark.usefixtures('needs_adapters')
def test_demo_of_a_sound_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A history with nothing wrong in it is said to have nothing."""
    path = tmp_path / 'mine.json'
    path.write_bytes(ModelMessagesTypeAdapter.dump_json([user('one'), says()]))
    assert main(['demo', '--history', str(path)]) == 0
    assert 'no rule of this release finds anything' in capsys.readouterr().out


@pytest.mark.usefixtures('needs_adapters')
def test_demo_of_what_no_rule_repairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A history that stays refused is said to be, with exit code 1."""
    path = tmp_path / 'mine.json'
    thinking = ThinkingPart('Hm.', signature='c2ln', provider_name='anthropic')
    thinks_after_its_call = ModelResponse(parts=[*calls('a').parts, thinking], provider_name='anthropic')
    path.write_bytes(ModelMessagesTypeAdapter.dump_json([user('one'), thinks_after_its_call, returns('a'), says()]))
    assert main(['demo', '--history', str(path)]) == 1
    out = capsys.readouterr().out
    assert out.count('-> 400') == 2
    assert 'HR206' in out
    assert 'signed thinking, which cannot be moved' in out


@pytest.mark.parametrize(
    ('content', 'message'),
    [
        (None, 'No such file or directory.'),
        ('[', 'must be a JSON array of Pydantic AI messages; at the top: Invalid JSON'),
        (
            '{"kind": "request"}',
            'must be a JSON array of Pydantic AI messages; at the top: Input should be a valid',
        ),
        ('[{"kind": "secret"}]', 'must be a JSON array of Pydantic AI messages; at /0: '),
        ('[{"kind": "request", "parts": [{"part_kind": "secret"}]}]', 'at /0/request/parts/0'),
        ('[1, 2, 3]', '(2 more errors)'),
        ('[{"role": "user"}]', "They look like messages in a provider's own format."),
    ],
)
def test_history_that_cannot_be_read(
    content: str | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """A file that holds no history is named, with the place and the reason, and exit code 2."""
    path = tmp_path / 'mine.json'
    if content is not None:
        path.write_text(content)
    assert main(['demo', '--history', str(path)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f'demo: {path}: ')
    assert message in error


def test_missing_sdk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """An adapter whose SDK is not installed is answered with the command that installs it."""
    monkeypatch.setitem(sys.modules, 'pydantic_ai.models.mistral', None)
    assert main(['demo', '--dialect', 'mistral']) == 2
    assert capsys.readouterr().err.endswith("needs its provider's SDK: pip install 'pydantic-ai-slim[mistral]'\n")


def test_missing_opentelemetry_sdk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Without OpenTelemetry's SDK there is no span tree to show, and the command says what to install."""
    monkeypatch.setitem(sys.modules, 'pydantic_ai_history_repair._cli._demonstration', None)
    assert main(['demo']) == 2
    assert "pip install 'pydantic-ai-history-repair[demo]'" in capsys.readouterr().err


def test_bundled_history_needs_each_kind_of_repair():
    """The demo's conversation holds the four faults of pairing, each once."""
    assert repair_history(read_history(demo.POISONED)).counts == {'HR101': 1, 'HR102': 1, 'HR103': 1, 'HR104': 1}


@pytest.mark.parametrize(
    ('arguments', 'code', 'text'),
    [
        (['--version'], 0, f'pydantic-ai-history-repair {__version__}'),
        (['--help'], 0, 'show a refused history, its repair and the trace'),
        ([], 2, 'the following arguments are required: COMMAND'),
        (['repair-everything'], 2, "invalid choice: 'repair-everything'"),
        (['demo', '--dialect', 'klingon'], 2, "invalid choice: 'klingon'"),
    ],
)
def test_arguments(arguments: list[str], code: int, text: str, capsys: pytest.CaptureFixture[str]):
    """Help and version end with 0, a wrong command line with 2 and the reason."""
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == code
    captured = capsys.readouterr()
    assert text in captured.out + captured.err


@pytest.mark.usefixtures('needs_adapters')
def test_demo_when_the_provider_fails(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """A refusal that has nothing to do with the history is shown as it came."""
    from pydantic_ai_history_repair._cli import _demonstration

    def failing(text: str) -> ProviderError:
        return ProviderError(403, 'no access')

    monkeypatch.setattr(_demonstration, 'Text', failing)
    assert main(['demo']) == 1
    out = capsys.readouterr().out
    assert '-> 403' in out
    assert 'no access' in out


def test_as_a_module_in_this_process(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """The module ends the process with the program's exit code."""
    monkeypatch.setattr(sys, 'argv', ['history-repair', 'demo', '--history', 'missing.json'])
    with pytest.raises(SystemExit) as exit:
        runpy.run_module('pydantic_ai_history_repair', run_name='__main__')
    assert exit.value.code == 2
    assert capsys.readouterr().err == 'demo: missing.json: No such file or directory.\n'


def test_as_a_module():
    """`python -m pydantic_ai_history_repair` is the same program."""
    done = subprocess.run(
        [sys.executable, '-m', 'pydantic_ai_history_repair', '--version'], capture_output=True, check=True, text=True
    )
    assert done.stdout == f'pydantic-ai-history-repair {__version__}\n'


def test_output_holds_no_control_characters(capsys: pytest.CaptureFixture[str]):
    """A stored history cannot send escape sequences to the terminal."""
    _terminal.say('tool \x1b[31mred\x07')
    assert capsys.readouterr().out == 'tool \\x1b[31mred\\x07\n'


def test_styles_need_rich_and_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """On a terminal a line is styled if rich is there, and plain if not; markup in it is text."""
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: True)
    monkeypatch.setenv('TERM', 'xterm')
    monkeypatch.setenv('FORCE_COLOR', '1')
    if _has_rich():
        _terminal.say('[red]x', style='bold')
        assert capsys.readouterr().out == '\x1b[1m[red]x\x1b[0m\n'
    monkeypatch.setitem(sys.modules, 'rich.console', None)
    _terminal.say('x', style='bold')
    assert capsys.readouterr().out == 'x\n'


def _has_rich() -> bool:
    try:
        import rich.console  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        return False
    return True


def test_dumped_runs_are_read(tmp_path: Path):
    """What `result.all_messages_json()` gives is a history file."""
    history: list[Any] = [ModelRequest(parts=[UserPromptPart('x')]), ModelResponse(parts=[])]
    path = tmp_path / 'run.json'
    path.write_bytes(ModelMessagesTypeAdapter.dump_json(history))
    assert shape(read_history(path)) == ['request: user x', 'response: ']
    assert json.loads(path.read_bytes())[0]['kind'] == 'request'
