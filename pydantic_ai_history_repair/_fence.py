"""Text by somebody else, marked as such inside user text."""

from __future__ import annotations

from hashlib import sha256


def fenced(tag: str, text: str, *, preface: str = '') -> str:
    """`text` between tags that it cannot close, since they carry a hash of it, after a line that says what it is."""
    attempt = 0
    while True:
        mark = f'{tag}-{sha256(f"{attempt}:{text}".encode(errors="surrogatepass")).hexdigest()[:8]}'
        if mark not in text:
            lines = [preface, f'<{mark}>', text, f'</{mark}>']
            return '\n'.join(line for line in lines if line or line is text)
        attempt += 1
