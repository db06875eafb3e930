"""The command line: `pydantic-ai-history-repair`, or `history-repair` for short."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .. import __version__
from . import demo, serve

_COMMANDS = {
    'demo': (demo, 'show a refused history, its repair and the trace, without a key'),
    'serve': (serve, 'serve a strict provider on loopback'),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: The arguments after the program's name; `None` takes the process's own.

    Returns:
        The exit code: 0 when all is well, 1 when a history stays broken, 2 when the command could not be run.
    """
    parser = argparse.ArgumentParser(
        prog='pydantic-ai-history-repair', description='Repairs broken message histories for Pydantic AI agents.'
    )
    parser.add_argument('--version', action='version', version=f'%(prog)s {__version__}')
    commands = parser.add_subparsers(dest='command', required=True, metavar='COMMAND')
    for name, (module, summary) in _COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=f'{summary[0].upper()}{summary[1:]}.')
        module.configure(command)
        command.set_defaults(run=module.run)
    arguments = parser.parse_args(argv)
    return arguments.run(arguments)
