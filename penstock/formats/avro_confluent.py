"""The `avro-confluent` format."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from penstock.errors import OptionError
from penstock.formats.avro_schema import avro_schema, check_names, problem_with
from penstock.formats.avro_types import says_the_same
from penstock.formats.base import Format
from penstock.formats.registry_options import OPTIONS, registry_options
from penstock.formats.registry_options import problem_with as problem_with_registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.model.option import OptionReader
    from penstock.model.types import DataType, Fields


@dataclass(frozen=True, slots=True)
class AvroConfluent(Format):
    """One Avro record in each message, behind the id that its schema has in a registry."""

    name = "avro-confluent"
    DECODE = "penstock_avro_confluent_decode"
    ENCODE = "penstock_avro_confluent_encode"
    IS_TEXT = False
    OPTIONS = OPTIONS
    SUBJECT_PROBLEM: ClassVar[str] = "Option avro-confluent.subject is required for serialization"
    SCHEMA_PROBLEM: ClassVar[str] = (
        "Schema provided for 'avro-confluent' format does not match the table schema: "
    )

    @classmethod
    def read(cls, reader: OptionReader, prefix: str, folders: tuple[str, ...] = ()) -> Format:
        """Pull the options, and properties that are written as options of their own."""
        under = f"{prefix}{cls.name}."
        values = {option.key: reader.pull(option.under(under)) for option in cls.OPTIONS}
        given = {key: value for key, value in values.items() if value is not None}
        extra = reader.pull_prefix(f"{under}properties.")
        told = registry_options(given, extra, of=f"{reader.table}/{prefix}{cls.name}")
        if problem := problem_with_registry(told, under):
            raise OptionError(
                "REFUSED_OPTION",
                table=reader.table,
                problem=problem,
                instead="Correct it, or leave it out.",
            )
        return cls((*told, ("table", reader.table), ("option", f"{under}url")))

    def check_types(self, fields: tuple[tuple[str, DataType], ...]) -> None:
        """Names and types that Avro has; those of the schema that the table gives."""
        check_names(fields)
        super(AvroConfluent, self).check_types(fields)
        schema = self.option("schema")
        if schema is not None and not self._fits(str(schema), fields):
            raise OptionError(
                "REFUSED_OPTION",
                table=self.option("table"),
                problem=f"{self.SCHEMA_PROBLEM}{schema}",
                instead="Leave it out, or give the columns the types it has.",
            )

    def problem_with(self, type_: DataType) -> str:
        """What Flink says of types it derives no schema for."""
        return problem_with(type_)

    def written_to(self, topic: str | None, part: str) -> Format:
        """A sink needs a subject: its own, or that of its only topic."""
        if self.option("subject") is not None:
            return self
        if topic is None:
            raise OptionError(
                "REFUSED_OPTION",
                table=self.option("table"),
                problem=self.SUBJECT_PROBLEM,
                instead="Name the subject; the table has more topics than one.",
            )
        return replace(self, options=(*self.options, ("subject", f"{topic}-{part}")))

    def told(self, fields: Fields) -> Mapping[str, object]:
        """The registry, and the schema that messages are read and written with."""
        return {"schema": json.dumps(self._schema(fields)), **dict(self.options)}

    def _schema(self, fields: Fields) -> object:
        return avro_schema(fields)

    def _fits(self, schema: str, fields: Fields) -> bool:
        return says_the_same(schema, fields)
