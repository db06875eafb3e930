from __future__ import annotations

import pydantic_ai
import pytest

from .table import PAGE, page, version_of


def test_page_is_fresh() -> None:
    """The page says what is measured; `python -m tests.wire.table` renews it."""
    text = PAGE.read_text(encoding='utf-8')
    if version_of(text) != pydantic_ai.__version__:
        pytest.skip(f'made with Pydantic AI {version_of(text)}')
    assert page() == text
