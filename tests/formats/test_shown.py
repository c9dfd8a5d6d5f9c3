"""Answers laid out for people, as ClickHouse does."""

from __future__ import annotations

from penstock.formats.clickhouse.shown import LAYOUTS, Heading, cells_of

HEADINGS = (Heading("name", number=False), Heading("n", number=True))
ROWS = [cells_of(HEADINGS, "a\\tb\t7\n"), cells_of(HEADINGS, "日本\t\\N")]
_LISTS = "SimpleAggregateFunction(groupArrayArray, Array(String))"


def _shown(name: str) -> str:
    return "\n".join(LAYOUTS[name](HEADINGS, ROWS)).replace("\t", "→")


def test_compact() -> None:
    assert LAYOUTS["PrettyCompact"]([Heading("count()", number=True)], [["200000"]]) == [
        "┌─count()─┐",
        "│  200000 │",
        "└─────────┘",
    ]
    assert "│ 日本 │ ᴺᵁᴸᴸ │" in _shown("PrettyCompact")
    assert LAYOUTS["PrettyCompact"](HEADINGS, []) == []


def test_strings_inside_collections_keep_their_escapes() -> None:
    types = ("String", "Array(String)", "Map(String, String)", "Tuple(String, UInt8)", _LISTS)
    headings = [Heading("x", number=False, type=one) for one in types]
    line = (
        r"p\'q"
        + "\t"
        + r"['p\'q','\n']"
        + "\t"
        + r"{'k\'1':'v'}"
        + "\t"
        + r"('p\'q',1)"
        + "\t"
        + r"['\'']"
    )
    assert cells_of(headings, line) == [
        "p'q",
        r"['p\'q','\n']",
        r"{'k\'1':'v'}",
        r"('p\'q',1)",
        r"['\'']",
    ]


def test_pretty() -> None:
    assert LAYOUTS["Pretty"]([Heading("n", number=True)], [["1"], ["20"]]) == [
        "┏━━━━┓",
        "┃  n ┃",
        "┡━━━━┩",
        "│  1 │",
        "├────┤",
        "│ 20 │",
        "└────┘",
    ]


def test_space() -> None:
    assert LAYOUTS["PrettySpace"](HEADINGS, [["a", "1"]]) == [" name   n", "", " a      1"]


def test_vertical() -> None:
    assert _shown("Vertical") == (
        "Row 1:\n──────\nname: a→b\nn:    7\n\nRow 2:\n──────\nname: 日本\nn:    ᴺᵁᴸᴸ"
    )


def test_markdown() -> None:
    assert LAYOUTS["Markdown"](HEADINGS, [["a|b", "1"], ["ᴺᵁᴸᴸ", "2"]]) == [
        "| name | n |",
        "|:-|-:|",
        "| a\\|b | 1 |",
        r"| \N | 2 |",
    ]
