from __future__ import annotations

from importlib.util import find_spec

# The matrix of Pydantic AI releases has no provider's SDK: adapters are tested with the newest release only.
_SDKS = ('anthropic', 'boto3', 'google', 'groq', 'mistralai', 'openai')
collect_ignore_glob = [] if all(map(find_spec, _SDKS)) else ['test_*.py']
