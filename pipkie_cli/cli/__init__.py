"""The command line: one file per command, none of which decides anything about a document.

In: arguments. Out: an exit code, records on stdout or in a file, words for people on stderr. Rooms are imported inside
the commands, so that help answers at once.
"""

from pipkie_cli.cli.app import run_app
from pipkie_cli.cli.console import complain

__all__ = ["complain", "run_app"]
