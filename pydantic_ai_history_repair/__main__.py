"""`python -m pydantic_ai_history_repair`."""

import sys

from ._cli import main

if __name__ == '__main__':
    sys.exit(main())
