"""What a running job shows: a live table on a terminal, plain lines otherwise, always on stderr."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.live import Live
    from rich.table import Table

    from penstock.runtime.job import Job
    from penstock.runtime.progress import Progress

_PLAIN_EVERY_S = 10.0


class JobView:
    """Shows one job; use as a context so that the terminal is left tidy."""

    def __init__(self, job: str, *, drain: bool, prints: bool = False) -> None:
        self._job = job
        self._drain = drain
        self._how_it_ended = "stopped"
        # Rows printed on the same terminal would tear the table.
        self._is_live = sys.stderr.isatty() and not (prints and sys.stdout.isatty())
        self._live: Live | None = None
        self._last_plain = time.monotonic()
        self._started_at = time.monotonic()

    def __enter__(self) -> JobView:
        self._say(f"{self._job}: starting")
        if self._is_live:
            from rich.console import Console
            from rich.live import Live

            # What is printed elsewhere goes where it was sent, not through this console.
            self._live = Live(
                console=Console(stderr=True),
                refresh_per_second=4,
                transient=True,
                redirect_stdout=False,
            )
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def started(self, job: Job) -> None:
        """The queries run now."""
        how = "continuing from its checkpoint" if job.resumed else "first run"
        if job.ends:
            self._how_it_ended = "drained" if self._drain else "finished"
        seconds = time.monotonic() - self._started_at
        until = "until everything is read" if job.ends else "until stopped (Ctrl-C)"
        self._say(f"{self._job}: running {until}, {how} (started in {seconds:.1f} s)")

    def show(self, progress: Sequence[Progress]) -> None:
        """Refresh; plain output gets a line per query now and then."""
        if self._live:
            self._live.update(progress_table(progress))
        elif time.monotonic() - self._last_plain >= _PLAIN_EVERY_S:
            self._last_plain = time.monotonic()
            for query in progress:
                self._say(plain_line(query))

    def stopping(self) -> None:
        """A stop was asked for."""
        self._how_it_ended = "stopped"
        self._say(f"{self._job}: stopping after the current batch")

    def finished(self, progress: Sequence[Progress]) -> None:
        """The last word."""
        for query in progress:
            written = "" if query.rows_out is None else f", {query.rows_out:,} rows out"
            self._say(f"{query.query}: {query.rows_in:,} rows in{written}")
        seconds = time.monotonic() - self._started_at
        self._say(f"{self._job}: {self._how_it_ended} after {seconds:.1f} s")

    def _say(self, line: str) -> None:
        if self._live:
            self._live.console.print(line, highlight=False)
        else:
            print(line, file=sys.stderr, flush=True)


def plain_line(query: Progress) -> str:
    """One query as a line of text."""
    parts = [f"{query.query}: {query.rows_in:,} rows in ({query.rows_in_per_s:,.0f}/s)"]
    if query.rows_out is not None:
        parts.append(f"{query.rows_out:,} out")
    if query.lag is not None:
        parts.append(f"lag {query.lag:,}")
    if query.watermark:
        parts.append(f"watermark {query.watermark}")
    return ", ".join(parts)


def progress_table(progress: Sequence[Progress]) -> Table:
    """All queries as a table for a terminal."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("query", "rows in", "rows/s", "rows out", "lag", "watermark"):
        table.add_column(name, justify="left" if name in ("query", "watermark") else "right")
    for query in progress:
        table.add_row(
            query.query,
            f"{query.rows_in:,}",
            f"{query.rows_in_per_s:,.0f}",
            "" if query.rows_out is None else f"{query.rows_out:,}",
            "" if query.lag is None else f"{query.lag:,}",
            (query.watermark or "").replace("T", " ").removesuffix("Z"),
        )
    return table
