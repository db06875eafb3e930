from __future__ import annotations

import os
from collections.abc import Iterator

import pydantic_ai.models
import pytest
from hypothesis import settings
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

pydantic_ai.models.ALLOW_MODEL_REQUESTS = False

# No deadlines: machines are noisy, and speed is the benchmarks' business.
settings.register_profile('dev', max_examples=200, deadline=None)
settings.register_profile('ci', max_examples=5000, deadline=None)
settings.load_profile(os.environ.get('HYPOTHESIS_PROFILE', 'ci' if os.environ.get('CI') else 'dev'))

_exporter = InMemorySpanExporter()
_provider = TracerProvider()
_provider.add_span_processor(SimpleSpanProcessor(_exporter))
trace.set_tracer_provider(_provider)


@pytest.fixture
def anyio_backend() -> str:
    return 'asyncio'


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """Every span that ended during the test."""
    _exporter.clear()
    yield _exporter
    _exporter.clear()
