"""The `json` format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import OptionError
from penstock.formats.base import IGNORE_ERRORS, SKIP, Format
from penstock.model.option import Option, boolean, exactly_one_of, one_of, text

if TYPE_CHECKING:
    from penstock.model.types import DataType

_STRICT = "fail-on-missing-field"


@dataclass(frozen=True, slots=True)
class Json(Format):
    """One JSON object in each message."""

    name = "json"
    DECODE = "penstock_json_decode"
    ENCODE = "penstock_json_encode"
    OPTIONS = (
        Option(_STRICT, boolean, False, "A missing field is an error.", "Boolean"),
        IGNORE_ERRORS,
        Option(
            "timestamp-format.standard",
            exactly_one_of("SQL", "ISO-8601"),
            "SQL",
            "How TIMESTAMP and TIMESTAMP_LTZ are written.",
        ),
        Option(
            "map-null-key.mode",
            one_of("FAIL", "DROP", "LITERAL"),
            "FAIL",
            "What becomes of a NULL key of a MAP when it is written.",
        ),
        Option("map-null-key.literal", text, "null", "The key written in the mode LITERAL."),
        Option(
            "encode.decimal-as-plain-number",
            boolean,
            False,
            "Write decimals without an exponent.",
            "Boolean",
        ),
        Option(
            "encode.ignore-null-fields",
            boolean,
            False,
            "Leave out NULL fields.",
            "Boolean",
        ),
        Option(
            "decode.json-parser.enabled",
            boolean,
            True,
            "Accepted; there is one parser, and it is the streaming one.",
            "Boolean",
        ),
    )

    def check(self, table: str) -> None:
        """Strict about missing fields and lenient about errors cannot both hold."""
        if self.option(_STRICT) and self.option(SKIP):
            strict, lenient = self.option_name(_STRICT), self.option_name(SKIP)
            raise OptionError(
                "CONFLICTING_OPTIONS",
                table=table,
                conflict="fail-on-missing-field and ignore-parse-errors shouldn't both be true.",
                instead=f"Set '{strict}' or '{lenient}' to false.",
            )

    def problem_with(self, type_: DataType) -> str:
        """The names of a JSON object are texts."""
        if type_.root in ("MAP", "MULTISET") and not type_.children[0][1].is_text:
            return "JSON format doesn't support non-string as key type of map."
        return next(filter(None, (self.problem_with(child) for _, child in type_.children)), "")
