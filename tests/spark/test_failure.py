"""What a query failed with, found behind what Spark and py4j say first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from penstock.spark.failure import translate
from penstock.spark.log import note_log

if TYPE_CHECKING:
    import pytest


class _Caused(Exception):
    """An error with a cause, as Spark's are."""

    def __init__(self, text: str, cause: Exception | None = None) -> None:
        super().__init__(text)
        self._cause = cause


def test_the_last_cause_is_told() -> None:
    reason = _Caused("[USER_RAISED_EXCEPTION] Cannot parse as Int64: 7x SQLSTATE: P0001")
    written = _Caused("[TASK_WRITE_FAILED] Task failed while writing rows to file:/t.", reason)
    found = translate(_Caused("[STREAM_FAILED] Query terminated.", written), "v", "spark.log")
    assert (found.code, "Cannot parse as Int64: 7x" in found.text) == ("BAD_VALUE", True)
    unknown = translate(_Caused("[A]", _Caused("The disk is full.\nat …")), "v", "spark.log")
    assert "The query v failed: The disk is full." in unknown.text


def test_what_java_threw_is_told_rather_than_the_call() -> None:
    text = "An error occurred while calling o7.save.\n: io.delta.Full: [NO_SPACE] None.\n\tat x.Y"
    assert "failed: [NO_SPACE] None." in translate(Exception(text), "insert", "spark.log").text


def test_the_log_is_the_one_that_spark_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.spark.log._launched", [])
    assert "log: job/spark.log." in str(translate(Exception("[A]"), "v", "job/spark.log"))
    note_log(Path("elsewhere/spark.log"))
    assert "log: elsewhere/spark.log." in str(translate(Exception("[A]"), "v", "job/spark.log"))


def test_a_value_that_a_function_cannot_take_is_told_as_one() -> None:
    for text in (
        "PENSTOCK_BAD_VALUE reason=The arrays have different sizes.",
        "[CONVERSION_INVALID_INPUT] The arrays have different sizes. SQLSTATE: 22018",
    ):
        found = translate(_Caused("[FAILED]", _Caused(text)), "v", "spark.log")
        assert (found.code, "different sizes." in found.text) == ("BAD_VALUE", True)
