"""`python -m penstock.jars fetch [spark|delta|broker|all]`: what `make setup` calls."""

from __future__ import annotations

import argparse
import sys

from penstock.errors import PenstockError
from penstock.jars.artifacts import CONFIGURATIONS
from penstock.jars.fetch import jars
from penstock.jars.progress import Display


def main(arguments: list[str] | None = None) -> int:
    """Fetch what is asked for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m penstock.jars")
    commands = parser.add_subparsers(dest="command", required=True)
    fetch = commands.add_parser("fetch", help="fetch the jars that are not here yet")
    fetch.add_argument("which", nargs="?", default="all", choices=(*CONFIGURATIONS, "all"))
    which = parser.parse_args(arguments).which
    try:
        for configuration in CONFIGURATIONS if which == "all" else (which,):
            with Display(f"{configuration} jars") as display:
                jars(configuration, progress=display)
    except PenstockError as error:
        print(f"{error.code}: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
