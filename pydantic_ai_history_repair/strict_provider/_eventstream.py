"""The frames of `application/vnd.amazon.eventstream`."""

from __future__ import annotations

import struct
import zlib

CONTENT_TYPE = 'application/vnd.amazon.eventstream'

_STRING = 7
"""The header type of a UTF-8 string."""


def frame(event_type: str, payload: bytes) -> bytes:
    """One message: lengths and their CRC, headers, payload, the CRC of it all.

    The layout is described on https://docs.aws.amazon.com/lexv2/latest/dg/event-stream-encoding.html.
    """
    headers = b''.join(
        _header(name, value)
        for name, value in (
            (':event-type', event_type),
            (':content-type', 'application/json'),
            (':message-type', 'event'),
        )
    )
    prelude = struct.pack('>II', 16 + len(headers) + len(payload), len(headers))
    message = prelude + struct.pack('>I', zlib.crc32(prelude)) + headers + payload
    return message + struct.pack('>I', zlib.crc32(message))


def _header(name: str, value: str) -> bytes:
    return struct.pack('>B', len(name)) + name.encode() + struct.pack('>BH', _STRING, len(value)) + value.encode()
