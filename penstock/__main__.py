"""`python -m penstock`: the command by another way."""

from __future__ import annotations

from penstock.cli.main import main

if __name__ == "__main__":
    main()
