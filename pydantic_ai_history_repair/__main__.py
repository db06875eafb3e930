"""`python -m pydantic_ai_history_repair`."""

import sys

from ._cli import main

sys.exit(main())
