"""The `avro` format."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.formats.avro_schema import avro_schema, check_names, problem_with
from penstock.formats.base import Format
from penstock.model.option import Option, boolean, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.model.types import DataType, Fields


@dataclass(frozen=True, slots=True)
class Avro(Format):
    """One Avro record in each message, of the schema that the columns give."""

    name = "avro"
    DECODE = "penstock_avro_decode"
    ENCODE = "penstock_avro_encode"
    IS_TEXT = False
    OPTIONS = (
        Option(
            "encoding",
            one_of("binary", "json"),
            "binary",
            "Avro's compact bytes, or its JSON, which names the branches of unions.",
            "Enum",
        ),
        Option(
            "timestamp_mapping.legacy",
            boolean,
            True,
            "TIMESTAMP is an instant in UTC, and there is no TIMESTAMP_LTZ; with `false` TIMESTAMP "
            "is a local timestamp and TIMESTAMP_LTZ an instant.",
            "Boolean",
        ),
    )

    def check_types(self, fields: tuple[tuple[str, DataType], ...]) -> None:
        """Names and types that Avro has."""
        check_names(fields)
        super(Avro, self).check_types(fields)

    def problem_with(self, type_: DataType) -> str:
        """What Flink says of types it derives no schema for."""
        return problem_with(type_, legacy=self._is_legacy)

    def told(self, fields: Fields) -> Mapping[str, object]:
        """The schema of the messages."""
        schema = avro_schema(fields, legacy=self._is_legacy)
        return {"encoding": self.option("encoding"), "schema": json.dumps(schema)}

    @property
    def _is_legacy(self) -> bool:
        return bool(self.option("timestamp_mapping.legacy"))
