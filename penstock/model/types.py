"""The type of a column, in the user's words, and its name in Spark.

`DataType` is Flink's logical type: `TIMESTAMP(p)` has no zone, `TIMESTAMP_LTZ(p)` is an instant.
Spark's names are derived from it in one table and one function.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

MAX_LENGTH = 2_147_483_647

# root → (Spark's name in SQL, Spark's name in a JSON schema)
_SPARK_NAMES = {
    "BOOLEAN": ("BOOLEAN", "boolean"),
    "TINYINT": ("TINYINT", "byte"),
    "SMALLINT": ("SMALLINT", "short"),
    "INT": ("INT", "integer"),
    "BIGINT": ("BIGINT", "long"),
    "FLOAT": ("FLOAT", "float"),
    "DOUBLE": ("DOUBLE", "double"),
    "CHAR": ("STRING", "string"),
    "VARCHAR": ("STRING", "string"),
    "BINARY": ("BINARY", "binary"),
    "VARBINARY": ("BINARY", "binary"),
    "DATE": ("DATE", "date"),
    "TIMESTAMP": ("TIMESTAMP_NTZ", "timestamp_ntz"),
    "TIMESTAMP_LTZ": ("TIMESTAMP", "timestamp"),
    "NULL": ("VOID", "void"),
}

_INTEGERS = ("TINYINT", "SMALLINT", "INT", "BIGINT")

# What an INSERT converts without being asked, as Flink does: target → accepted sources.
_IMPLICIT = {
    "SMALLINT": ("TINYINT",),
    "INT": ("TINYINT", "SMALLINT"),
    "BIGINT": ("TINYINT", "SMALLINT", "INT"),
    "DECIMAL": _INTEGERS,
    "FLOAT": (*_INTEGERS, "DECIMAL"),
    "DOUBLE": (*_INTEGERS, "DECIMAL", "FLOAT"),
    "VARCHAR": ("CHAR",),
    "CHAR": ("VARCHAR",),
    "VARBINARY": ("BINARY",),
    "BINARY": ("VARBINARY",),
    "TIMESTAMP": ("DATE", "TIMESTAMP_LTZ"),
    "TIMESTAMP_LTZ": ("DATE", "TIMESTAMP"),
}


@dataclass(frozen=True, slots=True)
class DataType:
    """A logical type; `children` are the fields of a ROW, the element of an ARRAY, a MAP's two."""

    root: str
    precision: int | None = None
    scale: int | None = None
    children: tuple[tuple[str, DataType], ...] = ()
    nullable: bool = True

    def __str__(self) -> str:
        return self._text() + ("" if self.nullable else " NOT NULL")

    def _text(self) -> str:
        if self.root == "ROW":
            return "ROW<" + ", ".join(f"`{name}` {child}" for name, child in self.children) + ">"
        if self.children:
            return f"{self.root}<" + ", ".join(str(child) for _, child in self.children) + ">"
        if self.root in ("VARCHAR", "VARBINARY") and self.precision == MAX_LENGTH:
            return "STRING" if self.root == "VARCHAR" else "BYTES"
        if self.precision is None:
            return self.root
        if self.scale is None:
            return f"{self.root}({self.precision})"
        return f"{self.root}({self.precision}, {self.scale})"

    @property
    def is_numeric(self) -> bool:
        """Whether arithmetic is defined on it."""
        return self.root in (*_INTEGERS, "FLOAT", "DOUBLE", "DECIMAL")

    @property
    def is_integer(self) -> bool:
        """Whether it is one of the four integer types."""
        return self.root in _INTEGERS

    @property
    def is_text(self) -> bool:
        """CHAR, VARCHAR or STRING."""
        return self.root in ("CHAR", "VARCHAR")

    @property
    def is_time(self) -> bool:
        """TIMESTAMP or TIMESTAMP_LTZ: what can carry event time."""
        return self.root in ("TIMESTAMP", "TIMESTAMP_LTZ")

    def as_nullable(self, nullable: bool = True) -> DataType:
        """The same type with the given nullability."""
        return replace(self, nullable=nullable)

    def accepts(self, other: DataType) -> bool:
        """Whether an INSERT may put a value of the other type into a column of this one."""
        if other.root == "NULL":
            return True
        if self.root == other.root:
            return len(self.children) == len(other.children) and all(
                mine.accepts(theirs)
                for (_, mine), (_, theirs) in zip(self.children, other.children, strict=True)
            )
        return other.root in _IMPLICIT.get(self.root, ())

    def spark_sql(self) -> str:
        """How Spark SQL spells it, for CAST."""
        if self.root == "DECIMAL":
            return f"DECIMAL({self.precision}, {self.scale})"
        if self.root == "ROW":
            fields = (f"{quote(name)}: {child.spark_sql()}" for name, child in self.children)
            return f"STRUCT<{', '.join(fields)}>"
        if self.children:
            return f"{self.root}<{', '.join(child.spark_sql() for _, child in self.children)}>"
        return _SPARK_NAMES[self.root][0]

    def spark_json(self) -> object:
        """How a Spark JSON schema spells it (the parsed form, to be dumped)."""
        if self.root == "DECIMAL":
            return f"decimal({self.precision},{self.scale})"
        if self.root == "ROW":
            return spark_struct(self.children)
        if self.root == "ARRAY":
            element = self.children[0][1]
            return {
                "type": "array",
                "elementType": element.spark_json(),
                "containsNull": element.nullable,
            }
        if self.root == "MAP":
            key, value = (child for _, child in self.children)
            return {
                "type": "map",
                "keyType": key.spark_json(),
                "valueType": value.spark_json(),
                "valueContainsNull": value.nullable,
            }
        return _SPARK_NAMES[self.root][1]


def spark_struct(fields: tuple[tuple[str, DataType], ...]) -> dict[str, object]:
    """A Spark JSON schema for these fields, all of them nullable: a message may lack any."""
    return {
        "type": "struct",
        "fields": [
            {"name": name, "type": child.spark_json(), "nullable": True, "metadata": {}}
            for name, child in fields
        ],
    }


def spark_schema_text(fields: tuple[tuple[str, DataType], ...]) -> str:
    """The JSON schema of these fields as text."""
    return json.dumps(spark_struct(fields), ensure_ascii=False, separators=(",", ":"))


def quote(name: str) -> str:
    """A name as a Spark SQL identifier."""
    return "`" + name.replace("`", "``") + "`"


def literal(text: str) -> str:
    """Text as a Spark SQL string literal."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


BOOLEAN = DataType("BOOLEAN")
INT = DataType("INT")
BIGINT = DataType("BIGINT")
DOUBLE = DataType("DOUBLE")
STRING = DataType("VARCHAR", MAX_LENGTH)
BYTES = DataType("VARBINARY", MAX_LENGTH)
DATE = DataType("DATE")
NULL = DataType("NULL")
TIMESTAMP_3 = DataType("TIMESTAMP", 3)
TIMESTAMP_LTZ_3 = DataType("TIMESTAMP_LTZ", 3)
