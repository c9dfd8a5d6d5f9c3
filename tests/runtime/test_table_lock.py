"""Who inserts into a table at rest, and who writes its rows anew."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from penstock.errors import RunError
from penstock.runtime import table_lock
from penstock.runtime.table_lock import alone, inserting

if TYPE_CHECKING:
    from pathlib import Path


def test_rows_are_not_written_anew_while_others_are_inserted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tables" / "t-1"
    folder.mkdir(parents=True)
    with inserting(str(folder)), inserting(str(folder)):
        monkeypatch.setattr(table_lock, "ALONE_WITHIN_S", 0.1)
        with pytest.raises(RunError, match="has been inserting") as caught, alone(str(folder)):
            pass
        assert caught.value.code == "WAREHOUSE_BUSY"
    monkeypatch.setattr(table_lock, "ALONE_WITHIN_S", 60)
    order: list[str] = []

    def insert() -> None:
        with inserting(str(folder)):
            order.append("inserted")

    with alone(str(folder)):
        other = threading.Thread(target=insert)
        other.start()
        other.join(0.3)
        order.append("rewritten")
    other.join()
    assert order == ["rewritten", "inserted"]


def test_the_lock_makes_no_folder(tmp_path: Path) -> None:
    with inserting(str(tmp_path / "gone")), alone(str(tmp_path / "gone")):
        assert not (tmp_path / "gone").exists()
