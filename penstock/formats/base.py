"""The contract of a format: what it can be told, and how bytes become a row and back.

Both directions are Spark SQL expressions over functions of the Java module: rows stay in the JVM.
"""

from __future__ import annotations

import json
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote as percent_encoded

from penstock.errors import SqlError
from penstock.model.changelog import KIND_COLUMN, ChangelogMode
from penstock.model.option import Option, boolean
from penstock.model.secret import Secret
from penstock.model.types import TINYINT, DataType, literal, quote, spark_schema_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from penstock.model.option import OptionReader
    from penstock.model.table import Table
    from penstock.model.types import Fields

# What formats of changelogs read and write beside the columns: KIND_COLUMN, the last field.
_KIND = KIND_COLUMN.removeprefix("__")
# The option of formats that can leave out messages which they cannot read.
SKIP = "ignore-parse-errors"
IGNORE_ERRORS: Option[object] = Option(
    SKIP,
    boolean,
    False,
    "A field that cannot be read becomes NULL, a message that cannot be read is skipped.",
    "Boolean",
)


@dataclass(frozen=True, slots=True)
class Format:
    """A format with the options one table gave it; subclasses set the tables."""

    name: ClassVar[str]
    OPTIONS: ClassVar[tuple[Option[object], ...]]
    CHANGELOG: ClassVar[ChangelogMode] = ChangelogMode.APPEND
    # Metadata of a message: key and type; a decoded row has what is asked for as `__<key>`.
    METADATA: ClassVar[tuple[tuple[str, DataType], ...]] = ()
    DECODE: ClassVar[str]
    ENCODE: ClassVar[str]
    # Whether a message is text, such as can stand on a line of a file.
    IS_TEXT: ClassVar[bool] = True

    options: tuple[tuple[str, object], ...] = ()
    _: KW_ONLY
    # What stands before the format's name in the table's options: `key.`, `value.` or nothing.
    prefix: str = ""

    @classmethod
    def read(cls, reader: OptionReader, prefix: str, folders: tuple[str, ...] = ()) -> Format:
        """Pull this format's options, written as `<prefix><format>.<option>`.

        `folders` are where files that they name are looked for.
        """
        values = []
        for option in cls.OPTIONS:
            value = reader.pull(option.under(f"{prefix}{cls.name}."))
            if value is not None:
                values.append((option.key, value))
        built = cls(tuple(values), prefix=prefix).located(folders)
        built.check(reader.table)
        return built

    def located(self, folders: tuple[str, ...]) -> Format:
        """The same format with whole paths for the files its options name."""
        return self

    def check(self, table: str) -> None:
        """Refuse options that contradict each other."""

    def check_types(self, fields: tuple[tuple[str, DataType], ...]) -> None:
        """Refuse columns whose type the format has no text for."""
        for name, type_ in fields:
            problem = self.problem_with(type_)
            if problem:
                raise SqlError("UNSUPPORTED_TYPE", column=name, type=type_, instead=problem)

    def problem_with(self, type_: DataType) -> str:
        """Why a type cannot be read and written, empty if it can."""
        return ""

    @property
    def has_kinds(self) -> bool:
        """Whether a message says more of a row than that it is there."""
        return self.CHANGELOG is not ChangelogMode.APPEND

    @property
    def changelog(self) -> ChangelogMode:
        """The kinds of rows that a table has which is read with these options."""
        return self.CHANGELOG

    def keyed(self, table: Table) -> Format:
        """The same for a table, whose primary key the format may need to know."""
        return self

    def unwritable(self) -> tuple[str, str] | None:
        """The option that keeps rows from being written, and why."""
        return None

    def option(self, key: str) -> object:
        """One option's value, None if it is neither set nor has a default."""
        return dict(self.options).get(key)

    def option_name(self, key: str) -> str:
        """The name of an option as the table writes it: `value.json.ignore-parse-errors`."""
        return f"{self.prefix}{self.name}.{key}"

    @property
    def skipping(self) -> str:
        """The option by which messages that cannot be read are skipped, empty if there is none."""
        has_one = any(option.key == SKIP for option in self.OPTIONS)
        return self.option_name(SKIP) if has_one else ""

    def decode(
        self,
        bytes_sql: str,
        fields: Fields,
        *,
        metadata: Sequence[str] = (),
        failures: tuple[str, str] | None = None,
    ) -> str:
        """An expression over a Kafka record: an ARRAY of STRUCTs, one for each row in it.

        `metadata` are the keys a table asks for, `failures` its name and what handles messages that
        cannot be read: `fail`, `log`, `kafka`.
        """
        hidden = [(key, type_) for key, type_ in self.METADATA if key in metadata]
        if self.has_kinds:
            hidden.append((_KIND, TINYINT))
        handled = (*failures, self.skipping) if failures else ()
        arguments = [
            bytes_sql,
            literal(spark_schema_text(fields, tuple(hidden))),
            self._options(fields),
            *("topic", "partition", "offset"),
            *map(literal, handled),
        ]
        return f"{self.DECODE}({', '.join(arguments)})"

    def encode(self, columns: Sequence[tuple[str, str, DataType]]) -> str:
        """An expression that gives the bytes of a row; columns are field name, expression, type."""
        pairs = [(name, sql) for name, sql, _ in columns]
        if self.has_kinds:
            pairs.append((KIND_COLUMN, quote(KIND_COLUMN)))
        row = ", ".join(f"{literal(name)}, {sql}" for name, sql in pairs)
        fields = tuple((name, type_) for name, _, type_ in columns)
        return f"{self.ENCODE}(named_struct({row}), {self._options(fields)})"

    def written_to(self, topic: str | None, part: str) -> Format:
        """The format of a sink: of the `key` or the `value` of a topic's messages, if it has one.

        It may refuse to write at all.
        """
        return self

    def told(self, fields: Fields) -> Mapping[str, object]:
        """What Java is told about these fields, beside their types: the options."""
        return dict(self.options)

    @property
    def secrets(self) -> tuple[tuple[str, str], ...]:
        """Values that no text may hold, each behind what stands for it in the options."""
        values = (value for _, value in self.options if isinstance(value, Secret))
        return tuple((_placeholder(value), str(value)) for value in values)

    def _options(self, fields: Fields) -> str:
        told = {
            key: _placeholder(value) if isinstance(value, Secret) else value
            for key, value in self.told(fields).items()
        }
        if self.prefix:
            told["prefix"] = self.prefix
        return literal(json.dumps(told, ensure_ascii=False))


def _placeholder(secret: Secret) -> str:
    """What stands for a secret in an expression: its table and option, in plain letters."""
    return f"${{secret:{percent_encoded(secret.of)}}}"


def field(row: str, name: str) -> str:
    """One field of a decoded row."""
    return f"{row}.{quote(name)}"
