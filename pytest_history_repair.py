"""The pytest plugin: a strict provider for one test."""

# This module stands beside the package, not in it, and imports it only when a test asks for the fixture. pytest loads
# every installed plugin in every session, and importing anything under `pydantic_ai_history_repair` runs its
# `__init__`, which imports `pydantic_ai`: 0.9 s measured on 2.68, against 0.4 ms for what is imported here. It also
# means that coverage of the package itself starts before the package is imported.

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import ParamSpec

    from pydantic_ai_history_repair.strict_provider import StrictProvider

    P = ParamSpec('P')


@pytest.fixture
def strict_provider() -> Iterator[Callable[..., StrictProvider]]:
    """Starts strict providers, and stops them at the end of the test.

    Takes what `pydantic_ai_history_repair.strict_provider.strict_provider` takes: `strict_provider('anthropic')` is a
    running server, with a `base_url`, `requests` and `respond_with`.
    """
    from pydantic_ai_history_repair.strict_provider import strict_provider as make

    with ExitStack() as servers:
        yield _entering(servers, make)


def _entering(servers: ExitStack, make: Callable[P, StrictProvider]) -> Callable[P, StrictProvider]:
    def start(*args: P.args, **options: P.kwargs) -> StrictProvider:
        return servers.enter_context(make(*args, **options))

    return start
