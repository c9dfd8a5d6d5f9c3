"""Figures side by side, as a table: medians, extremes, ratios, and whether a bar is met."""

from __future__ import annotations

import os
import platform
import re
import statistics
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib.metadata import version
from typing import TYPE_CHECKING

from benchmarks import flink, topics
from penstock.jars.artifacts import IVY_FILE, read_artifacts
from penstock.jars.java import find_java

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

OURS = "Penstock"
AT_LEAST, AT_MOST = "≥", "≤"
_HEADER = ("case", "figure", OURS, "against", "", "ratio", "bar", "")
_MEASURED = re.compile(r"(<!-- measured -->\n).*?(<!-- /measured -->)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Bar:
    """What a ratio, or an `absolute` figure, must be."""

    relation: str
    limit: float
    absolute: bool = False

    def is_met(self, value: float) -> bool:
        """Whether it is."""
        return value >= self.limit if self.relation == AT_LEAST else value <= self.limit


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of Penstock, beside that of another where there is one."""

    case: str
    figure: str
    ours: Sequence[float]
    other: str = ""
    theirs: Sequence[float] = ()
    bar: Bar | None = None

    @property
    def ratio(self) -> float | None:
        """Of the medians, ours to theirs."""
        if not self.theirs:
            return None
        return statistics.median(self.ours) / statistics.median(self.theirs)

    @property
    def is_met(self) -> bool:
        """Whether the bar, if there is one, is met."""
        if self.bar is None:
            return True
        value = statistics.median(self.ours) if self.bar.absolute else self.ratio
        return value is not None and self.bar.is_met(value)

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        return (
            self.case.replace("_", "-"),
            self.figure,
            _shown(self.ours),
            self.other,
            _shown(self.theirs),
            "" if self.ratio is None else f"{self.ratio:.2f}",
            f"{self.bar.relation} {self.bar.limit:g}" if self.bar else "",
            ("met" if self.is_met else "**missed**") if self.bar else "",
        )


def compared(
    case: str,
    figure: str,
    values: Mapping[str, Sequence[float]],
    *,
    bars: Mapping[str, Bar] | None = None,
    own_bar: Bar | None = None,
) -> list[Comparison]:
    """Penstock's figure against its own bar, and against each of the others."""
    ours = values[OURS]
    alone = [Comparison(case, figure, ours, bar=own_bar)] if own_bar or len(values) == 1 else []
    return alone + [
        Comparison(case, figure, ours, name, theirs, (bars or {}).get(name))
        for name, theirs in values.items()
        if name != OURS
    ]


def table(comparisons: Sequence[Comparison]) -> str:
    """A Markdown table, its columns aligned."""
    rows = [_HEADER, *(one.cells() for one in comparisons)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, tuple("-" * width for width in widths))
    lines = (
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(f"| {line} |" for line in lines)


def facts(*, rounds: int, seconds: int, with_flink: bool) -> str:
    """The machine and the versions, in a sentence or two."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    broker = {one.name: one.revision for one in read_artifacts(IVY_FILE, "broker")}
    versions = [
        f"Python {platform.python_version()}",
        f"Java {find_java().version}",
        f"Spark {version('pyspark')}",
        f"Kafka {broker['kafka_2.13']}",
        *([f"Flink {flink.VERSION}"] if with_flink else []),
    ]
    return (
        f"{datetime.now(timezone.utc):%Y-%m-%d}, {os.cpu_count()} cores ({platform.machine()}), "
        f"{memory:.0f} GB of memory, the broker on the same machine; {', '.join(versions)}. "
        f"Rows: {topics.ROWS:,}; rounds: {rounds}, latency over {seconds} s of each. "
        "Figures: median (least–most)."
    )


def write(page: Path, text: str) -> None:
    """Put the results between the marks of a page."""
    before = page.read_text(encoding="utf-8")
    after, count = _MEASURED.subn(lambda match: f"{match[1]}{text}\n{match[2]}", before)
    if count != 1:
        raise SystemExit(f"{page} has no `<!-- measured -->` … `<!-- /measured -->`")
    page.write_text(after, encoding="utf-8")


def _shown(values: Sequence[float]) -> str:
    if not values:
        return ""
    return f"{_number(statistics.median(values))} ({_number(min(values))}–{_number(max(values))})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}"
