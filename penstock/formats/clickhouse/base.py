"""What ClickHouse's formats share: settings by their full names, types told to Java.

A message has any number of rows, and so can a message that is written: `encode_rows` takes an array
of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from penstock.errors import PlanError
from penstock.formats.base import Format
from penstock.model.option import Option, exactly_one_of, text
from penstock.model.types import literal, spark_schema_text, type_facts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from penstock.model.option import OptionReader
    from penstock.model.types import DataType, Fields


def flag(value: str) -> bool:
    """ClickHouse's Bool: 0, 1, true or false."""
    if value.lower() not in ("0", "1", "true", "false"):
        raise ValueError("0 or 1")
    return value.lower() in ("1", "true")


def switch(key: str, default: bool, description: str) -> Option[Any]:
    """A setting that is on or off."""
    return Option(key, flag, default, description, "Bool")


NULL_AS_DEFAULT = switch(
    "input_format_null_as_default",
    True,
    "NULL in a column that is not Nullable is the default of its type.",
)
SKIP_UNKNOWN = switch(
    "input_format_skip_unknown_fields", True, "Fields that are no columns are left out."
)
MATCHING = Option(
    "input_format_column_name_matching_mode",
    exactly_one_of("auto", "match_case", "ignore_case"),
    "auto",
    "How names are compared; `auto`: exactly, then in any letter case.",
    "Enum",
)
TIMES: tuple[Option[Any], ...] = (
    Option(
        "date_time_input_format",
        exactly_one_of("best_effort", "best_effort_us", "basic"),
        "best_effort",
        "Which texts are read as DateTime; `basic`: `YYYY-MM-DD hh:mm:ss` and seconds; "
        "`best_effort_us`: as `best_effort`, with the month before the day.",
        "Enum",
    ),
    Option(
        "date_time_output_format",
        exactly_one_of("simple", "iso", "unix_timestamp"),
        "simple",
        "How DateTime is written.",
        "Enum",
    ),
)
BOOLS: tuple[Option[Any], ...] = (
    Option("bool_true_representation", text, "true", "The text of true, not in JSON."),
    Option("bool_false_representation", text, "false", "The text of false, not in JSON."),
)
TRAILING_ZEROS = switch(
    "output_format_decimal_trailing_zeros", False, "Decimals are written with all their digits."
)


@dataclass(frozen=True, slots=True)
class ClickHouseFormat(Format):
    """A format with the settings of one table, of which `options` holds what it set."""

    ALIASES: ClassVar[tuple[str, ...]] = ()
    # What tells formats apart that Java reads or writes with the same function.
    FORM: ClassVar[tuple[tuple[str, object], ...]] = ()
    # Whether a file says what is in a message.
    HAS_SCHEMA: ClassVar[bool] = False
    # Whether rows in one message can be told apart.
    SEVERAL_ROWS: ClassVar[bool] = True

    skipped_bytes: int = 0

    @classmethod
    def of_table(
        cls,
        reader: OptionReader,
        skipped_bytes: int,
        *,
        schema: str = "",
        folders: tuple[str, ...] = (),
    ) -> ClickHouseFormat:
        """Pull the settings of this format; those of others mean nothing to it.

        `schema` is the table's `kafka_schema` or `format_schema`, `folders` are where its file is
        looked for.
        """
        values = ((option, reader.pull(option)) for option in cls.OPTIONS)
        changed = ((option.key, value) for option, value in values if value != option.default)
        return cls(tuple(changed), skipped_bytes)

    def problem_with(self, type_: DataType) -> str:
        """A state of an aggregate is no value."""
        parts = (type_, *(child for _, child in type_.children))
        return "Use a …Merge function." if any(one.root == "STATE" for one in parts) else ""

    def told(self, fields: Fields) -> Mapping[str, object]:
        """The settings, and what ClickHouse's types say beyond Spark's."""
        skipped = (
            {"kafka_schema_registry_skip_bytes": self.skipped_bytes} if self.skipped_bytes else {}
        )
        types = json.dumps([type_facts(*field) for field in fields], ensure_ascii=False)
        return {**dict(self.options), **dict(self.FORM), **skipped, "types": types}

    def encode(self, columns: Sequence[tuple[str, str, DataType]]) -> str:
        """As any format; some of ClickHouse's are only read."""
        if not self.ENCODE:
            raise PlanError("FORMAT_NOT_WRITTEN", format=self.name)
        return super(ClickHouseFormat, self).encode(columns)

    def decode_error(self, bytes_sql: str, fields: Fields) -> str:
        """An expression that says why a message cannot be read; NULL if it can."""
        arguments = (literal(self.DECODE), bytes_sql, literal(spark_schema_text(fields)))
        return f"penstock_decode_error({', '.join(arguments)}, {self._options(fields)})"

    def message_of(
        self,
        columns: Sequence[tuple[str, str, DataType]],
        records: Sequence[tuple[str, str]],
        rows: int,
    ) -> tuple[str, tuple[tuple[str, str], ...]]:
        """`kafka_max_rows_per_message`: a generator of rows that share a message, and the message.

        They are rows of one task in their order; the last message of a task may have fewer. What
        `records` say of a message beside its value is what its last row says.
        """
        row = ", ".join(f"{literal(name)}, {sql}" for name, sql, _ in columns)
        beside = "".join(f", {literal(name)}, {sql}" for name, sql in records)
        batch = f"penstock_batches(named_struct('row', named_struct({row}){beside}), {rows})"
        value = self.encode_rows("batch.row", tuple((name, type_) for name, _, type_ in columns))
        last = ((name, f"element_at(batch, -1).{name}") for name, _ in records)
        return batch, (("value", value), *last)

    def encode_rows(self, rows_sql: str, fields: Fields) -> str:
        """An expression that gives one message of all rows of an ARRAY of STRUCTs."""
        if not self.ENCODE:
            raise PlanError("FORMAT_NOT_WRITTEN", format=self.name)
        return f"{self.ENCODE}({rows_sql}, {self._options(fields)})"
