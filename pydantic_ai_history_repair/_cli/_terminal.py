"""Lines for a person to read: styled with rich where it is installed and the output is a terminal, plain elsewhere."""

from __future__ import annotations

import sys


def say(text: str = '', *, style: str | None = None) -> None:
    """Print a line. Control characters are escaped: a stored history may hold anything."""
    safe = ''.join(
        character if character.isprintable() else character.encode('unicode_escape').decode() for character in text
    )
    if style and sys.stdout.isatty():
        try:
            from rich.console import Console
        except ImportError:
            pass
        else:
            Console(highlight=False, soft_wrap=True).print(safe, style=style, markup=False)
            return
    print(safe)
