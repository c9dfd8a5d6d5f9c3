"""Draws `docs/images/demo.svg` from a real run of the demo: `python docs/picture.py`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from rich.console import Console

from penstock.cli import demo
from penstock.cli.demo_view import DemoView

_SECONDS = 45
_TARGET = Path(__file__).parent / "images" / "demo.svg"


def main() -> None:
    console = Console(record=True, force_terminal=True, width=80, color_system="standard")
    view = DemoView(_SECONDS, console)
    script = demo.demo_script()
    view.introduce(script.read_text())
    with tempfile.TemporaryDirectory() as scratch:
        demo.run_in(script, Path(scratch), _SECONDS, view)
    _TARGET.parent.mkdir(exist_ok=True)
    console.save_svg(str(_TARGET), title="make demo")
    os._exit(0)


if __name__ == "__main__":
    main()
