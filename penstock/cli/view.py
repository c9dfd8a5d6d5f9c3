"""What a running job shows: a live table on a terminal, plain lines otherwise, always on stderr."""

from __future__ import annotations

import logging
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.live import Live
    from rich.table import Table

    from penstock.runtime.job import Job
    from penstock.runtime.progress import Progress
    from penstock.runtime.traffic import TableTraffic

_PLAIN_EVERY_S = 10.0
_WIDTH_WITH_TABLES = 100
_WARNINGS = logging.getLogger("penstock.job")


class _Said(logging.Handler):
    """Warnings of a job as lines among the others."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._line = say

    def emit(self, record: logging.LogRecord) -> None:
        """One line."""
        self._line(f"warning: {record.getMessage()}")


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
        self._warnings = _Said(self._say)
        _WARNINGS.addHandler(self._warnings)
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
        _WARNINGS.removeHandler(self._warnings)
        if self._live:
            self._live.stop()

    def stopped_early(self) -> None:
        """Somebody ended it while Spark was starting."""
        self._say(f"{self._job}: stopped before its queries began; nothing was read")

    def started(self, job: Job) -> None:
        """The queries run now."""
        how = "continuing from its checkpoint" if job.resumed else "first run"
        if job.ignored_startup:
            how += f"; scan.startup.mode of {', '.join(job.ignored_startup)} is not used"
        if job.ends:
            self._how_it_ended = "drained" if self._drain else "finished"
        seconds = time.monotonic() - self._started_at
        until = "until everything is read" if job.ends else "until stopped (Ctrl-C)"
        self._say(f"{self._job}: running {until}, {how} (started in {seconds:.1f} s)")

    def show(self, progress: Sequence[Progress]) -> None:
        """Refresh; plain output gets a line per query now and then."""
        if self._live:
            self._live.update(self._tables(progress))
        elif time.monotonic() - self._last_plain >= _PLAIN_EVERY_S:
            self._last_plain = time.monotonic()
            for query in progress:
                self._say(plain_line(query))

    def _tables(self, progress: Sequence[Progress]) -> Table:
        """The queries, and their tables as well where the terminal has room for both."""
        assert self._live  # noqa: S101 — only a live view has a terminal
        room = self._live.console.size
        lines = 1 + len(progress) + sum(len(query.tables) for query in progress)
        fits = lines < room.height and room.width >= _WIDTH_WITH_TABLES
        return progress_table(progress, with_tables=fits)

    def stopping(self) -> None:
        """A stop was asked for."""
        self._how_it_ended = "stopped"
        self._say(f"{self._job}: stopping after the current batch")

    def finished(self, progress: Sequence[Progress]) -> None:
        """The last word."""
        for query in progress:
            self._say(final_line(query))
        seconds = time.monotonic() - self._started_at
        self._say(f"{self._job}: {self._how_it_ended} after {seconds:.1f} s")

    def _say(self, line: str) -> None:
        if self._live:
            self._live.console.print(line, highlight=False)
        else:
            print(line, file=sys.stderr, flush=True)


def final_line(query: Progress) -> str:
    """One query that has ended, as a line of text."""
    written = "" if query.rows_out is None else f", {query.rows_out:,} rows out"
    return f"{query.query}: {query.rows_in:,} rows in{written}{_left_out(query)}"


def plain_line(query: Progress) -> str:
    """One query as a line of text."""
    parts = [f"{query.query}: {query.rows_in:,} rows in ({query.rows_in_per_s:,.0f}/s)"]
    if query.rows_out is not None:
        parts.append(f"{query.rows_out:,} out")
    if query.lag is not None:
        parts.append(f"lag {query.lag:,}")
    if query.watermark:
        parts.append(f"watermark {query.watermark}")
    return ", ".join(parts) + _left_out(query)


def left_out(table: TableTraffic) -> list[tuple[int, str]]:
    """How many messages of a table gave no rows, and why."""
    reasons = (
        (table.rows_lost, "were gone before they were read"),
        (table.skipped, "could not be read and were skipped"),
        (table.dead_letters, "could not be read and are dead letters"),
    )
    return [(count, why) for count, why in reasons if count]


def _left_out(query: Progress) -> str:
    skipped = sum(table.skipped for table in query.tables)
    letters = sum(table.dead_letters for table in query.tables)
    named = ((skipped, "skipped"), (letters, "dead letters"))
    return "".join(f", {count:,} {name}" for count, name in named if count)


def progress_table(progress: Sequence[Progress], *, with_tables: bool = False) -> Table:
    """All queries as a table for a terminal; the rows below a query are its tables."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("query", "rows in", "rows/s", "rows out", "rows/s", "lag", "watermark"):
        table.add_column(name, justify="left" if name in ("query", "watermark") else "right")
    for query in progress:
        table.add_row(
            query.query,
            f"{query.rows_in:,}",
            f"{query.rows_in_per_s:,.0f}",
            "" if query.rows_out is None else f"{query.rows_out:,}",
            "" if query.rows_out is None else f"{query.rows_out_per_s:,.0f}",
            "" if query.lag is None else f"{query.lag:,}",
            (query.watermark or "").replace("T", " ").removesuffix("Z"),
        )
        for one in query.tables if with_tables else ():
            table.add_row(*_traffic_cells(one), "", _notes(one), style="dim")
    return table


def _traffic_cells(table: TableTraffic) -> tuple[str, ...]:
    read = ("", "") if not table.rows_in else (f"{table.rows_in:,}", f"{table.rows_in_per_s:,.0f}")
    if not table.rows_out:
        return (f"  {table.table}", *read, "", "")
    return (f"  {table.table}", *read, f"{table.rows_out:,}", f"{table.rows_out_per_s:,.0f}")


def _notes(table: TableTraffic) -> str:
    rate = f"{(table.bytes_in_per_s + table.bytes_out_per_s) / 1e6:,.1f} MB/s"
    bad = table.skipped + table.dead_letters
    return f"{rate}, {bad:,} bad" if bad else rate
