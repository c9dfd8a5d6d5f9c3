"""What the options of a Kafka table do not change here, said where the script sets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.model.table import Table

_NO_EFFECT = "the option '{key}' has no effect here: "
_ALIGNMENT = _NO_EFFECT + "tables are not held back for each other"
_NOTES = {
    "scan.watermark.alignment.group": _ALIGNMENT,
    "scan.watermark.alignment.max-drift": _ALIGNMENT,
    "scan.watermark.alignment.update-interval": _ALIGNMENT,
    "scan.watermark.emit.strategy": _NO_EFFECT + "the watermark moves with every micro-batch",
    "sink.semantic": "the option '{key}' is deprecated: write 'sink.delivery-guarantee'",
    "sink.transaction-naming-strategy": _NO_EFFECT + "a job has the same ids in every run",
}


def option_notes(table: Table) -> list[tuple[str, Span | None]]:
    """One note for each such option."""
    notes = dict(_NOTES)
    if table.option("format"):
        notes["value.format"] = _NO_EFFECT + "'format' names the value's format"
    return [
        (notes[option.key].format(key=option.key), option.span)
        for option in table.options
        if option.key in notes
    ]
