"""Formats of an answer whose rows are those of another format, said otherwise or in a frame.

A row comes as a line of CSV, TabSeparated or JSONCompactEachRow, which say every value as
ClickHouse prints it. What an answer says before and after its rows is made here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.formats.clickhouse.shown import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from penstock.formats.clickhouse.shown import Heading

    Headings = Sequence[Heading]

# Types whose values stand without quotes in SQL.
_BARE = ("Int", "UInt", "Float", "Decimal", "Bool", "Array", "Map", "Tuple")
_OPENING, _CLOSING = "[{", "]}"
_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "'": "\\'", "\r": "\\r", "\0": "\\0"}


@dataclass(frozen=True, slots=True)
class Frame:
    """How rows in the format `lines` are shown: each by `row`, with what stands around them."""

    lines: str
    row: Callable[[Headings, str], str] = lambda headings, line: f"{line}\n"
    head: Callable[[Headings], str] = lambda headings: ""
    between: str = ""
    foot: Callable[[int], str] = lambda count: ""


def _csv_line(texts: Sequence[str]) -> str:
    return ",".join('"' + text.replace('"', '""') + '"' for text in texts) + "\n"


def tsv_line(texts: Sequence[str]) -> str:
    """Texts as a line of TabSeparated."""
    return "\t".join(map(_escaped, texts)) + "\n"


def _json_line(texts: Sequence[str]) -> str:
    return "[" + ", ".join(json.dumps(text, ensure_ascii=False) for text in texts) + "]\n"


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in text)


def _named(line: Callable[[Sequence[str]], str]) -> Callable[[Headings], str]:
    return lambda headings: line([heading.name for heading in headings])


def _typed(line: Callable[[Sequence[str]], str]) -> Callable[[Headings], str]:
    names = _named(line)
    return lambda headings: names(headings) + line([heading.type for heading in headings])


def _fields(headings: Headings) -> list[Heading]:
    """CSV has a field for each element of a Tuple."""
    return [field for heading in headings for field in heading.fields or (heading,)]


def _tskv(headings: Headings, line: str) -> str:
    names = (_escaped(heading.name).replace("=", "\\=") for heading in headings)
    pairs = zip(names, line.split("\t"), strict=True)
    return "\t".join(f"{name}={field}" for name, field in pairs) + "\n"


def _raw(headings: Headings, line: str) -> str:
    """Fields without escapes."""
    fields = zip(headings, line.split("\t"), strict=True)
    shown = (field if field == r"\N" else text_of(heading, field) for heading, field in fields)
    return "\t".join(shown) + "\n"


def _raw_line(texts: Sequence[str]) -> str:
    return "\t".join(texts) + "\n"


def _values(headings: Headings, line: str) -> str:
    fields = zip(headings, line.split("\t"), strict=True)
    return f"({','.join(_in_sql(heading, field) for heading, field in fields)})"


def _in_sql(heading: Heading, field: str) -> str:
    if field == r"\N":
        return "NULL"
    return field if heading.is_of(_BARE) else f"'{field}'"


def _meta(headings: Headings) -> str:
    parts = (
        f'\t\t{{\n\t\t\t"name": {json.dumps(h.name, ensure_ascii=False)},\n'
        f'\t\t\t"type": {json.dumps(h.type, ensure_ascii=False)}\n\t\t}}'
        for h in headings
    )
    shown = ",\n".join(parts)
    return f'{{\n\t"meta":\n\t[\n{shown}\n\t],\n\n\t"data":\n\t[\n'


def _object(headings: Headings, line: str) -> str:
    pairs = zip(headings, _elements(line), strict=True)
    fields = (f"\t\t\t{json.dumps(h.name, ensure_ascii=False)}: {value}" for h, value in pairs)
    shown = ",\n".join(fields)
    return f"\t\t{{\n{shown}\n\t\t}}"


def _array(headings: Headings, line: str) -> str:
    return f"\t\t[{', '.join(_elements(line))}]"


def _count(count: int) -> str:
    return f'\n\t],\n\n\t"rows": {count}\n}}\n'


def _elements(line: str) -> Iterator[str]:
    """The values of an array in JSON, each as it is written."""
    depth, start, quoted, escaped = 0, 1, False, False
    for at, char in enumerate(line):
        if quoted:
            quoted, escaped = escaped or char != '"', not escaped and char == "\\"
        elif char == '"':
            quoted = True
        elif char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth -= 1
        if not quoted and ((char == "," and depth == 1) or (depth == 0 and line[start:at])):
            yield line[start:at].strip()
            start = at + 1


# JSONEachRow and its like, where `output_format_json_array_of_rows` asks for it.
ARRAY_OF_ROWS = Frame(
    "JSONEachRow",
    row=lambda headings, line: line,
    head=lambda headings: "[\n",
    between=",\n",
    foot=lambda count: "\n]\n",
)
_CSV, _TSV, _COMPACT = "CSV", "TabSeparated", "JSONCompactEachRow"
FRAMES: dict[str, Frame] = {
    "CSVWithNames": Frame(_CSV, head=lambda headings: _named(_csv_line)(_fields(headings))),
    "CSVWithNamesAndTypes": Frame(_CSV, head=lambda headings: _typed(_csv_line)(_fields(headings))),
    **{
        f"{name}{kind}": Frame(_TSV, head=head(tsv_line))
        for name in ("TabSeparated", "TSV")
        for kind, head in (("WithNames", _named), ("WithNamesAndTypes", _typed))
    },
    "JSONCompactEachRowWithNames": Frame(_COMPACT, head=_named(_json_line)),
    "JSONCompactEachRowWithNamesAndTypes": Frame(_COMPACT, head=_typed(_json_line)),
    **{
        f"{name}{kind}": Frame(_TSV, _raw, head)
        for name in ("TabSeparatedRaw", "TSVRaw", "Raw")
        for kind, head in (
            ("", lambda headings: ""),
            ("WithNames", _named(_raw_line)),
            ("WithNamesAndTypes", _typed(_raw_line)),
        )
    },
    "TSKV": Frame(_TSV, _tskv),
    "Values": Frame(_TSV, _values, between=","),
    "JSON": Frame(_COMPACT, _object, _meta, ",\n", _count),
    "JSONCompact": Frame(_COMPACT, _array, _meta, ",\n", _count),
}
