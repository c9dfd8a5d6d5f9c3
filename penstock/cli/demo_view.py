"""What the demo shows: the script, a live view of the pipeline, its latest results, a summary.

On a terminal a view that redraws itself in 80 columns; piped, plain lines.
"""

from __future__ import annotations

import json
import shutil
import threading
import time
from decimal import Decimal
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from penstock.cli.demo_events import EventStream
    from penstock.runtime.progress import Progress

_WIDTH = 80
_PLAIN_EVERY_S = 5.0
_SHOWN_WINDOWS = 4


class Results:
    """Follows the result topic from a thread and keeps each window's rows."""

    def __init__(self, properties: dict[str, str], topic: str) -> None:
        self._properties, self._topic = properties, topic
        self._lock = threading.Lock()
        self._windows: dict[str, dict[str, tuple[int, str]]] = {}
        self.rows = 0
        self._thread = threading.Thread(target=self._run, name="demo-results", daemon=True)

    def start(self) -> None:
        """Begin to follow."""
        self._thread.start()

    def windows(self) -> list[tuple[str, dict[str, tuple[int, str]]]]:
        """Window start → category → (purchases, revenue), newest first."""
        with self._lock:
            return sorted(((k, dict(v)) for k, v in self._windows.items()), reverse=True)

    def _run(self) -> None:
        from penstock.kafka.records import consume

        for record in consume(self._properties, self._topic, from_beginning=True):
            row = json.loads(record.value or b"{}", parse_float=str)
            with self._lock:
                self.rows += 1
                window = self._windows.setdefault(row["window_start"], {})
                window[row["category"]] = (row["purchases"], str(row["revenue"]))


class DemoView:
    """Draws the demo; a context while it is live."""

    def __init__(self, seconds: int, console: Console | None = None) -> None:
        self._seconds = seconds
        self._console = console or Console(width=min(_WIDTH, Console().width))
        self.flowing = False
        self._live: Live | None = None
        self._began = time.monotonic()
        self._last_plain = self._began

    def begin(self) -> None:
        """The first batch is through: the countdown starts."""
        self.flowing = True
        self._began = time.monotonic()

    def __enter__(self) -> DemoView:
        self._began = time.monotonic()
        if self._console.is_terminal:
            self._live = Live(console=self._console, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def introduce(self, script: str) -> None:
        """Show the script that will run."""
        if self._console.is_terminal:
            syntax = Syntax(script.strip(), "sql", theme="ansi_dark", word_wrap=True)
            self._console.print(Panel(syntax, title="examples/demo.sql", title_align="left"))
        else:
            print(script.strip(), end="\n\n")

    def step(self, text: str) -> None:
        """One line about what happens."""
        self._console.print(Text(f"• {text}"), soft_wrap=True)

    def show(self, progress: Progress, events: EventStream, results: Results) -> None:
        """The pipeline now."""
        if self._live:
            self._live.update(self.draw(progress, events, results))
        elif time.monotonic() - self._last_plain >= _PLAIN_EVERY_S:
            self._last_plain = time.monotonic()
            print(
                f"{self._elapsed():3.0f} s: {events.sent:,} events sent, "
                f"{progress.rows_in:,} read ({progress.rows_in_per_s:,.0f}/s), "
                f"lag {events.sent - progress.rows_in:,}, {results.rows} result rows",
                flush=True,
            )

    def summary(self, progress: Progress, events: EventStream, results: Results) -> None:
        """What happened, and what to try next."""
        if not self._console.is_terminal:
            self._console.print(_results_table(results))
        self._console.print(
            f"\nDone: {events.sent:,} events in, {progress.rows_in:,} read by Spark in "
            f"{progress.batches} batches, {results.rows} result rows in topic demo_sales.\n",
            highlight=False,
        )
        command = "penstock" if shutil.which("penstock") else ".venv/bin/penstock"
        self._console.print(_NEXT.format(penstock=command), highlight=False)

    def _elapsed(self) -> float:
        return time.monotonic() - self._began

    def draw(self, progress: Progress, events: EventStream, results: Results) -> Group:
        """The live view of one moment."""
        facts = Table.grid(padding=(0, 2))
        watermark = (progress.watermark or "").replace("T", " ").removesuffix("Z")
        facts.add_row(
            "events sent", f"{events.sent:,}", "rows in/s", f"{progress.rows_in_per_s:,.0f}"
        )
        facts.add_row(
            "rows read", f"{progress.rows_in:,}", "rows out/s", f"{progress.rows_out_per_s:,.1f}"
        )
        lag = f"{max(0, events.sent - progress.rows_in):,}"
        facts.add_row("lag", lag, "open groups", f"{progress.state_rows:,}")
        left = max(0, self._seconds - self._elapsed())
        facts.add_row("seconds left", f"{left:.0f}", "watermark", watermark)
        return Group(
            Panel(facts, title="user_behavior → sales", title_align="left"), _results_table(results)
        )


def _results_table(results: Results) -> Table:
    from penstock.cli.demo_events import CATEGORIES

    table = Table(title="purchases per window, newest first", title_justify="left")
    for column in ("window", *CATEGORIES, "revenue"):
        table.add_column(column, justify="left" if column == "window" else "right", no_wrap=True)
    for start, row in results.windows()[:_SHOWN_WINDOWS]:
        counts = (str(row[category][0]) if category in row else "" for category in CATEGORIES)
        revenue = sum(Decimal(amount) for _, amount in row.values())
        table.add_row(start.partition(" ")[2], *counts, f"{revenue:,.2f}")
    return table


_NEXT = """\
Try next:
  {penstock} broker start
  {penstock} consume demo_sales --from-beginning --until-end
  {penstock} explain examples/demo.sql
  and docs/guides/quick-start.md for a pipeline of your own"""
