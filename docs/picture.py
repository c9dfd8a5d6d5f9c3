"""Draws `docs/images/demo.svg` from a real run of the demo: `python docs/picture.py`."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from penstock.cli import demo
from penstock.cli.demo_view import DemoView

if TYPE_CHECKING:
    from penstock.cli.demo_events import EventStream
    from penstock.cli.demo_view import Results
    from penstock.runtime.progress import Progress

_SECONDS = 40
_TARGET = Path(__file__).parent / "images" / "demo.svg"


class _Camera(DemoView):
    """Keeps the last drawing in which rows were flowing."""

    def __init__(self) -> None:
        self.paper = Console(record=True, force_terminal=True, width=80, file=io.StringIO())
        super().__init__(_SECONDS, Console(file=io.StringIO(), width=80))
        self.drawing: object = ""

    def show(self, progress: Progress, events: EventStream, results: Results) -> None:
        if progress.rows_in_per_s and len(results.windows()) > 3:
            self.drawing = self.draw(progress, events, results)


def main() -> None:
    camera, script = _Camera(), demo.demo_script()
    with tempfile.TemporaryDirectory() as scratch:
        demo.run_in(script, Path(scratch), _SECONDS, camera)
    DemoView(_SECONDS, camera.paper).introduce(script.read_text())
    camera.paper.print(camera.drawing)
    _TARGET.parent.mkdir(exist_ok=True)
    camera.paper.save_svg(str(_TARGET), title="make demo")
    os._exit(0)


if __name__ == "__main__":
    main()
