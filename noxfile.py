"""The version matrix: the tests on each Pydantic AI release whose surface differs."""

from __future__ import annotations

import nox

nox.needs_version = '>=2025.5'
nox.options.default_venv_backend = 'uv|virtualenv'

# The first releases in which something that this package touches changed; `_compat.py` says what.
RELEASES = (
    '==1.107.10',
    '==2.0.0',
    '==2.9.1',
    '==2.10.0',
    '==2.23.0',
    '==2.34.0',
    '==2.52.0',
    '==2.53.0',
    '==2.55.0',
    '==2.62.0',
    '==2.64.0',
    '>=2.64',
)


@nox.session
@nox.parametrize('release', RELEASES, ids=[release.replace('>=2.64', 'newest').lstrip('=') for release in RELEASES])
def matrix(session: nox.Session, release: str) -> None:
    """Run what needs no provider's SDK, warnings as errors."""
    session.install(
        '--constraint', 'constraints.txt', '--group', 'matrix', '--editable', '.', f'pydantic-ai-slim{release}'
    )
    session.run('python', '-c', 'import pydantic_ai; print("pydantic-ai", pydantic_ai.__version__)')
    session.run(
        'pytest',
        '--quiet',
        '--ignore=tests/strict_provider',  # standard library only: no release changes it
        '--ignore=tests/wire',  # the adapters of the newest release
        *session.posargs,
        env={'HYPOTHESIS_PROFILE': 'dev'},
    )
