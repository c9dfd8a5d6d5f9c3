"""Dead letters as text: a table, or one of them whole."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from penstock.kafka.envelope import shown, shown_headers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.kafka.dead_letters import Letter

_COLUMNS = ("place", "table", "time", "error", "begins", "replayed")
_FIRST = 40
_1970 = datetime(1970, 1, 1, tzinfo=timezone.utc)


def list_table(letters: Sequence[Letter]) -> None:
    """Print a line for each letter."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in _COLUMNS:
        table.add_column(column, overflow="fold")
    for letter in letters:
        table.add_row(*_cells(letter))
    Console(markup=False, highlight=False).print(table)


def list_json(letters: Sequence[Letter]) -> str:
    """The letters as a JSON array."""
    return json.dumps([_object(letter) for letter in letters], ensure_ascii=False)


def letter_json(letter: Letter) -> str:
    """A letter as a JSON object."""
    return json.dumps(_object(letter), ensure_ascii=False, indent=2)


def letter_text(letter: Letter) -> str:
    """A letter whole, a line for each of its facts."""
    facts = _object(letter)
    lines = [
        *((name, str(facts[name] or "")) for name in ("place", "time", "error", "field")),
        ("tables", ", ".join(letter.tables)),
        ("queries", ", ".join(letter.queries)),
        ("replayed", "yes" if letter.replayed else "no"),
        *((f"header {name}", _plain(value)) for name, value in letter.headers),
        ("key", _plain(letter.key)),
        ("value", _plain(letter.value)),
    ]
    width = max(len(name) for name, _ in lines)
    return "\n".join(f"{name.ljust(width)}  {value}".rstrip() for name, value in lines)


def _cells(letter: Letter) -> tuple[str, ...]:
    value = _plain(letter.value)
    return (
        str(letter.place),
        ", ".join(letter.tables),
        _moment(letter.timestamp) or "",
        letter.error,
        value if len(value) <= _FIRST else value[: _FIRST - 1] + "…",
        "yes" if letter.replayed else "",
    )


def _object(letter: Letter) -> dict[str, object]:
    return {
        "place": str(letter.place),
        **letter.place._asdict(),
        "tables": letter.tables,
        "queries": letter.queries,
        "time": _moment(letter.timestamp),
        "error": letter.error,
        "field": letter.field,
        "replayed": letter.replayed,
        "headers": shown_headers(letter.headers),
        "key": shown(letter.key),
        "value": shown(letter.value),
    }


def _plain(data: bytes | None) -> str:
    """Text as it is, other bytes as `produce --envelope` takes them."""
    found = shown(data)
    return found if isinstance(found, str) else json.dumps(found)


def _moment(timestamp_ms: int) -> str | None:
    """A time in UTC, None where the message had none that a calendar has."""
    try:
        moment = _1970 + timedelta(milliseconds=timestamp_ms)
    except OverflowError:
        return None
    return moment.isoformat(timespec="milliseconds") if timestamp_ms >= 0 else None
