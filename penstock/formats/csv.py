"""The `csv` format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from penstock.errors import OptionError
from penstock.formats.base import IGNORE_ERRORS, Format
from penstock.model.option import Option, boolean, single_character, text

if TYPE_CHECKING:
    from penstock.model.types import DataType

_TIME_DIGITS = 3
_QUOTE, _NO_QUOTE = "quote-character", "disable-quote-character"


@dataclass(frozen=True, slots=True)
class Csv(Format):
    """One line of separated values in each message, columns by position."""

    name = "csv"
    DECODE = "penstock_csv_decode"
    ENCODE = "penstock_csv_encode"
    OPTIONS = (
        Option("field-delimiter", single_character, ",", "Stands between two fields."),
        Option(_NO_QUOTE, boolean, False, "Read and write no quotes.", "Boolean"),
        Option(_QUOTE, single_character, None, 'Encloses a field; `"` by default.'),
        Option("allow-comments", boolean, False, "Skip lines that begin with `#`.", "Boolean"),
        IGNORE_ERRORS,
        Option(
            "array-element-delimiter", single_character, ";", "Stands between elements of an ARRAY."
        ),
        Option("escape-character", single_character, None, "Takes the next character as it is."),
        Option("null-literal", text, None, "The text that stands for NULL, read and written."),
        Option("empty-string-as-null", boolean, False, "Read an empty field as NULL.", "Boolean"),
        Option("trim-spaces", boolean, False, "Read fields without blanks around them.", "Boolean"),
        Option(
            "allow-trailing-comma",
            boolean,
            True,
            "Read a line that ends with a delimiter too many.",
            "Boolean",
        ),
        Option(
            "ignore-trailing-unmappable",
            boolean,
            False,
            "Leave out fields behind the last column.",
            "Boolean",
        ),
        Option(
            "fail-on-missing-columns",
            boolean,
            False,
            "With `ignore-parse-errors`: skip a line of too few fields, do not fill it with NULL.",
            "Boolean",
        ),
        Option(
            "write-bigdecimal-in-scientific-notation",
            boolean,
            None,
            "Write 100000 as `1E+5`; unless set, decimals are written with all their digits.",
            "Boolean",
        ),
    )

    def check(self, table: str) -> None:
        """A quote character cannot be both set and switched off."""
        if self.option(_NO_QUOTE) and self.option(_QUOTE) is not None:
            raise OptionError(
                "CONFLICTING_OPTIONS",
                table=table,
                conflict="Format cannot define a quote character and disabled quote character at "
                "the same time.",
                instead=f"Remove '{self.option_name(_QUOTE)}' or '{self.option_name(_NO_QUOTE)}'.",
            )

    def problem_with(self, type_: DataType) -> str:
        """A line has one level of fields, and elements in them one level more."""
        if type_.root in ("MAP", "MULTISET"):
            return f"The csv format has no {type_.root}."
        if type_.root == "TIME" and (type_.precision or 0) > _TIME_DIGITS:
            return f"The csv format has times of {_TIME_DIGITS} digits at most."
        nested = [child for _, child in type_.children if child.children]
        if nested:
            return f"Only simple types can stand inside it, not {nested[0]}."
        return next(filter(None, (self.problem_with(child) for _, child in type_.children)), "")
