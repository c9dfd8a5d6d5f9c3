"""DISTINCT inside COUNT, for streams: Spark's streaming aggregates do not know the word."""

from __future__ import annotations


def countable(sql: str) -> str:
    """`count(DISTINCT x)` as the size of a set: Spark's streams know no DISTINCT."""
    mark = "count(DISTINCT "
    at = sql.find(mark)
    if at < 0:
        return sql
    end = _closing(sql, at + len("count"))
    value, rest = sql[at + len(mark) : end], sql[end + 1 :]
    condition = ""
    if rest.startswith(" FILTER ("):
        close = _closing(rest, len(" FILTER "))
        condition, rest = rest[: close + 1], rest[close + 1 :]
    counted = f"CAST(size(collect_set({value}){condition}) AS BIGINT)"
    return sql[:at] + counted + countable(rest)


def _closing(text: str, opening: int) -> int:
    """Where the bracket that stands at `opening` is closed, quoted texts aside."""
    depth, quoted = 0, False
    for position in range(opening, len(text)):
        char = text[position]
        if char == "'" and text[position - 1] != "\\":
            quoted = not quoted
        elif not quoted:
            depth += (char == "(") - (char == ")")
            if depth == 0:
                return position
    raise AssertionError(text)
