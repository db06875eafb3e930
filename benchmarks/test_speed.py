from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    repair_messages,
)
from pytest_benchmark.fixture import BenchmarkFixture

from pydantic_ai_history_repair import check_history, repair_history

FUNCTIONS: dict[str, Callable[..., Any]] = {
    'repair_messages': repair_messages,
    'repair_history': repair_history,
    'check_history': check_history,
}
SIZES = (40, 400, 4000, 40_000)


def sound(size: int) -> list[ModelMessage]:
    """Turns of a prompt, two parallel calls, their results and a text."""
    history: list[ModelMessage] = []
    for turn in range(size // 4):
        calls = [ToolCallPart(name, {'city': 'Paris'}, tool_call_id=f'{name}_{turn}') for name in ('find', 'look')]
        history += [
            ModelRequest(parts=[UserPromptPart('What is the weather in Paris?')]),
            ModelResponse(parts=[TextPart('Let me look.'), *calls], model_name='model', provider_name='provider'),
            ModelRequest(parts=[ToolReturnPart(call.tool_name, 'Sunny.', call.tool_call_id) for call in calls]),
            ModelResponse(parts=[TextPart('It is sunny.')], model_name='model', provider_name='provider'),
        ]
    return history


def broken(size: int) -> list[ModelMessage]:
    """The same, with the results of every tenth turn lost: two dangling calls for every forty messages."""
    return [message for index, message in enumerate(sound(size)) if index % 40 != 2]


@pytest.mark.parametrize('size', SIZES)
@pytest.mark.parametrize('make', [sound, broken], ids=['sound', 'broken'])
@pytest.mark.parametrize('function', FUNCTIONS)
def test_speed(
    benchmark: BenchmarkFixture,
    times: dict[tuple[str, str], float],
    function: str,
    make: Callable[[int], list[ModelMessage]],
    size: int,
):
    """How long one call takes."""
    history = make(size)
    benchmark.group = f'{make.__name__} {size}'
    benchmark(FUNCTIONS[function], history)
    stats: Any = benchmark.stats
    times[function, benchmark.group] = stats.stats.min


def test_import(times: dict[tuple[str, str], float]):
    """How long the import takes once Pydantic AI is imported, the shortest of five processes."""
    program = (
        'import time, pydantic_ai\n'
        'start = time.perf_counter()\n'
        'import pydantic_ai_history_repair\n'
        'print(time.perf_counter() - start)\n'
    )
    runs = [subprocess.run([sys.executable, '-c', program], capture_output=True, check=True) for _ in range(5)]
    times['import', 'package'] = min(float(run.stdout) for run in runs)
