"""What SHOW, DESCRIBE and EXPLAIN answer, on stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.plan.query import Result


def print_results(results: Iterable[Result]) -> None:
    """Each answer, in the order of the script."""
    for result in results:
        print(result_text(result))


def result_text(result: Result) -> str:
    """Rows in columns under their headings; an answer without headings is a text."""
    if not result.columns:
        return "\n".join(cell for row in result.rows for cell in row)
    table = (result.columns, *result.rows)
    widths = [max(len(row[i]) for row in table) for i in range(len(result.columns))]
    rule = "+".join("-" * (width + 2) for width in widths).join("++")
    lines = [_line(row, widths) for row in table]
    return "\n".join([rule, lines[0], rule, *lines[1:], *([rule] if result.rows else [])])


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    cells = (f" {cell:<{width}} " for cell, width in zip(row, widths, strict=True))
    return "|" + "|".join(cells) + "|"
