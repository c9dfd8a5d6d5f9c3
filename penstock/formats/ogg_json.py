"""The `ogg-json` format."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.formats.cdc import MISSING_BEFORE, ROW_OPTIONS, TEXTS, BeforeAfter
from penstock.model.types import STRING, DataType

_TIMESTAMP_LTZ_6 = DataType("TIMESTAMP_LTZ", 6)


@dataclass(frozen=True, slots=True)
class OggJson(BeforeAfter):
    """Changes as Oracle GoldenGate tells them."""

    name = "ogg-json"
    DECODE = "penstock_ogg_json_decode"
    ENCODE = "penstock_ogg_json_encode"
    OPTIONS = (*ROW_OPTIONS, MISSING_BEFORE)
    METADATA = (
        ("table", STRING),
        ("primary-keys", TEXTS),
        ("ingestion-timestamp", _TIMESTAMP_LTZ_6),
        ("event-timestamp", _TIMESTAMP_LTZ_6),
    )
