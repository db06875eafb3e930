"""What providers took is accepted, what they refused for its history is flagged."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest

from pydantic_ai_history_repair.strict_provider import check_request

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

RECORDINGS = {
    'anthropic': ('anthropic', None),
    'bedrock_converse': ('bedrock', None),
    'deepseek_responses': ('openai-responses', 'deepseek'),
    'gemini': ('google', None),
    'groq': ('openai-chat', 'groq'),
    'mistral': ('mistral', None),
    'openai_chat': ('openai-chat', 'openai'),
    'openai_compatible': ('openai-chat', None),
    'openai_responses': ('openai-responses', 'openai'),
    'openrouter': ('openai-chat', None),
}
"""API and family of each recordings file; `None` lets the family be deduced."""

NOT_COVERED = {'cohere': 'an API of its own'}

CASSETTE_APIS = (
    (r'api\.anthropic\.com/v1/messages', 'anthropic', None),
    (r'/converse(-stream)?$', 'bedrock', None),
    (r':(stream)?[gG]enerateContent$', 'google', None),
    (r'api\.mistral\.ai/', 'mistral', None),
    (r'api\.groq\.com/', 'openai-chat', 'groq'),
    (r'/chat/completions$', 'openai-chat', None),
    (r'/responses(/compact)?$', 'openai-responses', None),
)
"""First pattern found in host and path of a cassette's request; what none matches is a file or a Cohere request."""

REFUSED_CASSETTES = (
    'test_deepseek_responses_rejects_interleaved_function_calls',
    'test_openai_responses_thinking_with_modified_history',
)
"""Cassettes that hold a refusal of the history itself."""


@dataclass(frozen=True, kw_only=True)
class Recorded:
    source: str
    api: str
    family: str | None
    model: str | None
    body: Any
    status: int
    about_history: bool = False


def judge(name: str, requests: Iterable[Recorded], lines: list[str]) -> int:
    """Assert that verdicts agree with the providers', add a line to the table and return how many there were."""
    counts = {'accepted': 0, 'flagged': 0, 'refused': 0}
    wrong: list[str] = []
    for request in requests:
        verdict = check_request(request.api, request.body, model=request.model, family=request.family)
        counts['refused'] += request.status >= 400
        counts['flagged' if verdict else 'accepted'] += 1
        if (verdict and request.status == 200) or (not verdict and request.about_history):
            wrong.append(f'{request.source}: {[(violation.code, violation.pointer) for violation in verdict]}')
    lines.append(
        f'{name:<40} {counts["accepted"] + counts["flagged"]:>8} ' + ' '.join(f'{n:>8}' for n in counts.values())
    )
    assert wrong == []
    return counts['accepted'] + counts['flagged']


def read_recordings(path: Path, api: str, family: str | None) -> Iterable[Recorded]:
    with gzip.open(path, 'rt', encoding='utf-8') as rows:
        for row in map(json.loads, rows):
            on_vertex = row['host'] == 'aiplatform.googleapis.com'
            yield Recorded(
                source=f'{row["source"]}#{row["n"]}',
                api=api,
                family=family,
                model=f'publishers/google/models/{row["model"]}' if on_vertex else row['model'],
                body=row['request'],
                status=row['status'],
                about_history=row['rejection'] == 'history',
            )


def read_cassette(path: Path, yaml: Any) -> Iterable[Recorded]:
    loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
    for interaction in yaml.load(path.read_text(encoding='utf-8'), Loader=loader)['interactions']:
        request: dict[str, Any] = interaction['request']
        url = urlsplit(str(request['uri']))
        place = url.netloc + unquote(url.path)
        known = next(((api, family) for pattern, api, family in CASSETTE_APIS if re.search(pattern, place)), None)
        if known:
            body = request.get('parsed_body') or json.loads(request['body'])
            named = re.search(r'(publishers/.*|/models?/)([^/]+?)(:\w+)?(/converse.*)?$', place)
            yield Recorded(
                source=path.name,
                api=known[0],
                family=known[1],
                model=body.get('model') or (named.group(0) if named else None),
                body=body,
                status=(status := interaction['response']['status']['code']),
                about_history=status == 400 and path.stem in REFUSED_CASSETTES,
            )


@pytest.mark.parametrize('name', RECORDINGS)
def test_recorded_requests(name: str, shared: Path, calibration: list[str]) -> None:
    """No accepted request is flagged, every request refused for its history is."""
    api, family = RECORDINGS[name]
    path = shared / 'recorded_traffic' / f'{name}.jsonl.gz'
    if not path.is_file():
        pytest.skip(f'no recordings at {path}')
    assert judge(name, read_recordings(path, api, family), calibration)


def test_every_recordings_file_is_judged_or_excused(shared: Path) -> None:
    """A new file of recordings does not pass unnoticed."""
    files = {path.name.removesuffix('.jsonl.gz') for path in (shared / 'recorded_traffic').glob('*.jsonl.gz')}
    assert files <= RECORDINGS.keys() | NOT_COVERED.keys()


def test_cassettes(shared: Path, calibration: list[str]) -> None:
    """The bodies that the replay cassettes hold are judged as their provider did."""
    yaml = pytest.importorskip('yaml', reason='the cassettes are YAML, which the documentation tools bring along')
    paths = sorted((shared / 'cassettes').rglob('*.yaml'))
    if not paths:
        pytest.skip(f'no cassettes in {shared}')
    requests = (request for path in paths for request in read_cassette(path, yaml))
    assert judge(f'{len(paths)} cassettes', requests, calibration)
