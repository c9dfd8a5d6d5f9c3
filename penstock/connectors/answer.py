"""What SHOW, DESCRIBE and EXISTS answer, in the format that they name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from penstock.connectors.result import ResultTarget
from penstock.formats.clickhouse import format_named
from penstock.formats.clickhouse.frames import FRAMES, tsv_line
from penstock.formats.clickhouse.shown import LAYOUTS, Heading

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.span import Span

    Cells = Sequence[str]

__all__ = ["Heading", "answer_text"]
_CELLS = "TabSeparated"
_LINE = "LineAsString"


def answer_text(
    headings: Sequence[Heading], rows: Sequence[Cells], format_: str, span: Span | None
) -> str:
    """Rows of strings and whole numbers as the text of the answer, without its last end of line."""
    known = [*LAYOUTS, *FRAMES, *_LINES, _LINE, "TSV", "Null"]
    name = format_named(format_, known, "result", span)
    target = ResultTarget({_LINE: "TSVRaw", "TSV": _CELLS}.get(name, name), tuple(headings))
    if not target.is_shown:
        return ""
    lines = FRAMES[target.format].lines if target.format in FRAMES else target.format
    line = _LINES.get(lines, _LINES[_CELLS])
    texts = [line(headings, row) for row in rows]
    if target.laid_out:
        return "\n".join(target.lay_out(texts))
    return "".join(target.texts(texts)).removesuffix("\n")


def _csv(headings: Sequence[Heading], row: Cells) -> str:
    quoted = ('"' + cell.replace('"', '""') + '"' for cell in row)
    fields = zip(headings, row, quoted, strict=True)
    return ",".join(cell if heading.number else text for heading, cell, text in fields)


def _tsv(headings: Sequence[Heading], row: Cells) -> str:
    return tsv_line(row).removesuffix("\n")


def _values(headings: Sequence[Heading], row: Cells) -> list[str]:
    """In JSON, where ClickHouse escapes slashes."""
    texts = (json.dumps(cell, ensure_ascii=False).replace("/", "\\/") for cell in row)
    return [
        cell if heading.number else text
        for heading, cell, text in zip(headings, row, texts, strict=True)
    ]


def _array(headings: Sequence[Heading], row: Cells) -> str:
    return f"[{', '.join(_values(headings, row))}]"


def _object(headings: Sequence[Heading], row: Cells) -> str:
    pairs = zip(headings, _values(headings, row), strict=True)
    return "{" + ",".join(f"{json.dumps(heading.name)}:{value}" for heading, value in pairs) + "}"


_LINES: dict[str, Callable[[Sequence[Heading], Cells], str]] = {
    "CSV": _csv,
    _CELLS: _tsv,
    "JSONCompactEachRow": _array,
    "JSONEachRow": _object,
}
