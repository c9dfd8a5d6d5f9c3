"""The `maxwell-json` format."""

from __future__ import annotations

from dataclasses import dataclass

from penstock.formats.cdc import ROW_OPTIONS, TEXTS, CdcJson
from penstock.model.types import STRING, TIMESTAMP_LTZ_3


@dataclass(frozen=True, slots=True)
class MaxwellJson(CdcJson):
    """Changes as Maxwell's daemon tells them."""

    name = "maxwell-json"
    DECODE = "penstock_maxwell_json_decode"
    ENCODE = "penstock_maxwell_json_encode"
    OPTIONS = ROW_OPTIONS
    METADATA = (
        ("database", STRING),
        ("table", STRING),
        ("primary-key-columns", TEXTS),
        ("ingestion-timestamp", TIMESTAMP_LTZ_3),
    )
