"""The pytest plugin."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

pytest_plugins = ['pytester']


def test_fixture(pytester: pytest.Pytester) -> None:
    """The fixture starts as many servers as a test asks for, and all are gone after the test."""
    pytester.makepyfile(
        """
        import urllib.request

        import pytest

        urls = []


        def test_serves(strict_provider):
            first = strict_provider('anthropic')
            second = strict_provider('google', max_body_bytes=10)
            urls.extend([first.base_url, second.base_url])
            body = b'{"model": "claude", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}'
            with urllib.request.urlopen(first.base_url + '/v1/messages', body) as response:
                assert response.status == 200
            assert [request.status for request in first.requests] == [200]
            assert second.requests == []


        def test_is_gone():
            assert len(set(urls)) == 2
            for url in urls:
                with pytest.raises(OSError, match='refused'):
                    urllib.request.urlopen(url)
        """
    )
    result = pytester.runpytest_inprocess('-p', 'pytest_history_repair')
    result.assert_outcomes(passed=2)


def test_fixture_is_listed(pytester: pytest.Pytester) -> None:
    """`pytest --fixtures` shows it with its documentation."""
    result = pytester.runpytest_inprocess('-p', 'pytest_history_repair', '--fixtures')
    result.stdout.fnmatch_lines(['strict_provider -- *', '*Starts strict providers, and stops them*'])


def test_import_is_light() -> None:
    """Loading the plugin, as every pytest session does, imports neither Pydantic AI nor the package."""
    code = 'import sys, pytest_history_repair; print({"pydantic_ai", "pydantic_ai_history_repair"} & set(sys.modules))'
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert result.stdout == 'set()\n'
