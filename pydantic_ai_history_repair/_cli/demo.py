"""`demo`: a poisoned conversation, refused without the capability and accepted with it."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any, Final, get_args

from .._capability import RepairHistory, UnansweredCalls
from ..strict_provider import ApiName
from ._adapters import MissingSDK
from ._files import UnreadableHistory, read_history

POISONED: Final = Path(__file__).with_name('poisoned.json')
"""A conversation with the faults that people report most: a late result, two results for one call, a parallel call that
was cancelled, and a result whose call was trimmed away."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        '--dialect',
        choices=get_args(ApiName),
        default='anthropic',
        help='the API to talk to, through its real adapter (default: anthropic)',
    )
    parser.add_argument(
        '--history',
        type=Path,
        default=POISONED,
        metavar='FILE',
        help='your own history: a JSON array of messages, as `result.all_messages_json()` gives it',
    )
    parser.add_argument('--prompt', default='So, where are we?', help='what to ask on top of it (default: %(default)s)')
    parser.add_argument(
        '--unanswered-calls',
        choices=get_args(UnansweredCalls),
        default='raise',
        help='the option of `RepairHistory`, for a history that ends on calls (default: %(default)s)',
    )


def run(args: argparse.Namespace) -> int:
    """Send the history without the capability and with it, and show what the provider answers.

    Returns:
        0 if the provider accepts the repaired history, 1 if it does not, 2 if something needed is missing.
    """
    try:
        from ._demonstration import demonstrate
    except ImportError:
        print("demo: needs OpenTelemetry's SDK: pip install 'pydantic-ai-history-repair[demo]'", file=sys.stderr)
        return 2
    try:
        history = read_history(args.history)
        repairing = RepairHistory[Any](unanswered_calls=args.unanswered_calls)
        accepted = asyncio.run(demonstrate(history, repairing, dialect=args.dialect, prompt=args.prompt))
        return 0 if accepted else 1
    except (MissingSDK, UnreadableHistory) as problem:
        print(f'demo: {problem}', file=sys.stderr)
        return 2
