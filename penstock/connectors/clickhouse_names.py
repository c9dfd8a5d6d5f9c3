"""The settings that ClickHouse knows by name, also those that do nothing here.

Each list is a file beside this one: what `system.merge_tree_settings` and `system.settings` have.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.connectors.clickhouse_settings import FORMAT_PREFIXES
from penstock.model.option import unknown_option

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.model.option import OptionValue

STORAGE, SESSION = "merge_tree_settings", "session_settings"
_MEMORY = {
    *("compress", "max_bytes_to_keep", "max_rows_to_keep", "min_bytes_to_keep"),
    "min_rows_to_keep",
}


def check_storage_settings(table: str, settings: Iterable[OptionValue]) -> None:
    """Refuse a setting of a table at rest that ClickHouse does not know."""
    known = known_names(STORAGE) | _MEMORY
    _check(table, settings, known, "those of ClickHouse's MergeTree and Memory")


def check_format_settings(table: str, settings: Iterable[OptionValue]) -> None:
    """Refuse a setting of a format, by its prefix, that ClickHouse does not know."""
    formats = [one for one in settings if one.key.startswith(FORMAT_PREFIXES)]
    known = frozenset(name for name in known_names(SESSION) if name.startswith(FORMAT_PREFIXES))
    _check(table, formats, known, "those of the table and of ClickHouse's formats")


@cache
def known_names(kind: str) -> frozenset[str]:
    """The names of one list."""
    return frozenset(Path(__file__).with_name(f"{kind}.txt").read_text("utf-8").split())


def _check(
    table: str, settings: Iterable[OptionValue], known: frozenset[str], supported: str
) -> None:
    for one in settings:
        if one.key not in known:
            raise unknown_option(table, one, sorted(known), supported)
