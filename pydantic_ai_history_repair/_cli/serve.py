"""`serve`: a strict provider on loopback, until Ctrl-C."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, get_args

from pydantic_ai_history_repair.strict_provider import ApiName, strict_provider

if TYPE_CHECKING:
    import argparse

_POLL_SECONDS = 0.1


def configure(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument('--dialect', choices=get_args(ApiName), default='anthropic', help='the API to serve')
    parser.add_argument('--family', help="the model family whose extra rules hold; by default the model's name decides")
    parser.add_argument('--port', type=int, default=8000, help='the port on 127.0.0.1; 0 takes a free one')


def run(args: argparse.Namespace) -> int:
    """Serves, and prints the verdict on each request.

    A line holds the status, the method and path, and for each violation its code and JSON Pointer; a body is never
    quoted.
    """
    try:
        provider = strict_provider(args.dialect, family=args.family, port=args.port)
        with provider:
            print(f'{args.dialect} on {provider.base_url}  (Ctrl-C stops)', flush=True)
            shown = 0
            while True:
                for request in provider.requests[shown:]:
                    shown += 1
                    verdicts = [f'{violation.code} at {violation.pointer}' for violation in request.violations]
                    line = '  '.join([str(request.status), request.method, request.path, *verdicts])
                    print(line.encode('unicode_escape').decode(), flush=True)  # no control characters from the network
                time.sleep(_POLL_SECONDS)
    except KeyboardInterrupt:
        return 0
    except (OSError, OverflowError, ValueError) as error:  # a port that is taken or no port, a family that is unknown
        print(f'serve: {error}', file=sys.stderr)
        return 2
