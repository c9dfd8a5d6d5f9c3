"""What the options of a Kafka table do not change here, said where the script sets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.connectors.kafka_options import FAILURE_HANDLER
from penstock.formats.base import SKIP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from penstock.formats.base import Format
    from penstock.model.span import Span
    from penstock.model.table import Table

_NO_EFFECT = "the option '{key}' has no effect here: "
_ALIGNMENT = _NO_EFFECT + "tables are not held back for each other"
_IGNORED = "the option '{{key}}' meets nothing that {options} leaves out before it"
_NOTES = {
    "scan.watermark.alignment.group": _ALIGNMENT,
    "scan.watermark.alignment.max-drift": _ALIGNMENT,
    "scan.watermark.alignment.update-interval": _ALIGNMENT,
    "scan.watermark.emit.strategy": _NO_EFFECT + "the watermark moves with every micro-batch",
    "sink.semantic": "the option '{key}' is deprecated: write 'sink.delivery-guarantee'",
    "sink.transaction-naming-strategy": _NO_EFFECT + "a job has the same ids in every run",
}


def option_notes(table: Table, formats: Iterable[Format] = ()) -> list[tuple[str, Span | None]]:
    """One note for each such option; `formats` are those of the value and of the key."""
    notes = dict(_NOTES)
    if ignoring := [f"'{f.skipping}'" for f in formats if f.option(SKIP)]:
        notes[FAILURE_HANDLER] = _IGNORED.format(options=" or ".join(ignoring))
    if table.option("format"):
        notes["value.format"] = _NO_EFFECT + "'format' names the value's format"
    if table.option("sink.delivery-guarantee") and table.option("sink.semantic"):
        notes["sink.delivery-guarantee"] = _NO_EFFECT + "the older 'sink.semantic' counts"
    if table.option("properties.acks") == "0":
        notes["properties.acks"] = (
            "with '{key}' = '0' no broker says that it has a row: rows can be lost"
        )
    return [
        (notes[option.key].format(key=option.key), option.span)
        for option in table.options
        if option.key in notes
    ]
