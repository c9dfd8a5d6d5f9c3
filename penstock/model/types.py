"""The type of a column, in the user's words, and its name in Spark.

`DataType` is Flink's logical type: `TIMESTAMP(p)` has no zone, `TIMESTAMP_LTZ(p)` is an instant.
Spark's names are derived from it in one table and one function. `TIME(p)` is Spark's TIME(6) and
holds milliseconds, as Flink's does for any p; a MULTISET is a map of its elements to their number;
intervals are numbers of months or of milliseconds, and are kept, compared and written as numbers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

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
    "TIME": ("TIME(6)", "time(6)"),
    "TIMESTAMP": ("TIMESTAMP_NTZ", "timestamp_ntz"),
    "TIMESTAMP_LTZ": ("TIMESTAMP", "timestamp"),
    "INTERVAL_YEAR_MONTH": ("INT", "integer"),
    "INTERVAL_DAY_TIME": ("BIGINT", "long"),
    "NULL": ("VOID", "void"),
    # ClickHouse's own; the unsigned ones keep their range.
    "UINT8": ("SMALLINT", "short"),
    "UINT16": ("INT", "integer"),
    "UINT32": ("BIGINT", "long"),
    "UINT64": ("DECIMAL(20, 0)", "decimal(20,0)"),
    "DATE32": ("DATE", "date"),
    "ENUM8": ("STRING", "string"),
    "ENUM16": ("STRING", "string"),
    "FIXEDSTRING": ("STRING", "string"),
    "UUID": ("STRING", "string"),
    "IPV4": ("STRING", "string"),
    "IPV6": ("STRING", "string"),
}

# root → how it is written, where that is not the root
_WRITTEN = {
    "INTERVAL_YEAR_MONTH": "INTERVAL YEAR TO MONTH",
    "INTERVAL_DAY_TIME": "INTERVAL DAY TO SECOND",
}
_INTEGERS = ("TINYINT", "SMALLINT", "INT", "BIGINT")

# What an INSERT converts without being asked, as Flink does: target → accepted sources.
_IMPLICIT = {
    "SMALLINT": ("TINYINT",),
    "INT": ("TINYINT", "SMALLINT"),
    "BIGINT": ("TINYINT", "SMALLINT", "INT"),
    "DECIMAL": (*_INTEGERS, "FLOAT", "DOUBLE"),
    "FLOAT": (*_INTEGERS, "DECIMAL"),
    "DOUBLE": (*_INTEGERS, "DECIMAL", "FLOAT"),
    "VARCHAR": ("CHAR",),
    "CHAR": ("VARCHAR",),
    "VARBINARY": ("BINARY",),
    "BINARY": ("VARBINARY",),
    "DATE": ("TIMESTAMP",),
    "TIME": ("TIMESTAMP",),
    "TIMESTAMP": ("DATE", "TIMESTAMP_LTZ"),
    "TIMESTAMP_LTZ": ("DATE", "TIMESTAMP"),
}


@dataclass(frozen=True, slots=True)
class DataType:
    """A logical type; `children` are the fields of a ROW, the element of an ARRAY, a MAP's two.

    `labels` are the names of an enumeration with their numbers, `zone` is the time zone a column of
    ClickHouse shows its instants in, `merged` the aggregate by which a table at rest merges its
    values, `low_cardinality` how ClickHouse would store them. A STATE of an aggregate has what is
    kept of it as its first child, under the name of the aggregate, and then the arguments.
    """

    root: str
    precision: int | None = None
    scale: int | None = None
    children: tuple[tuple[str, DataType], ...] = ()
    nullable: bool = True
    labels: tuple[tuple[str, int], ...] = ()
    zone: str = ""
    merged: str = field(default="", compare=False)
    low_cardinality: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return self._text() + ("" if self.nullable else " NOT NULL")

    def _text(self) -> str:
        if self.root == "STATE":
            return f"AggregateFunction({self.children[0][0]})"
        if self.root == "ROW":
            return "ROW<" + ", ".join(f"`{name}` {child}" for name, child in self.children) + ">"
        if self.children:
            return f"{self.root}<" + ", ".join(str(child) for _, child in self.children) + ">"
        if self.root in ("VARCHAR", "VARBINARY") and self.precision == MAX_LENGTH:
            return "STRING" if self.root == "VARCHAR" else "BYTES"
        if self.precision is None:
            return _WRITTEN.get(self.root, self.root)
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

    @property
    def is_interval(self) -> bool:
        """A number of months or of milliseconds."""
        return self.root in _WRITTEN

    @property
    def parts(self) -> tuple[DataType, ...]:
        """The type itself and all types inside it."""
        return (self, *(part for _, child in self.children for part in child.parts))

    def as_nullable(self, nullable: bool = True) -> DataType:
        """The same type with the given nullability."""
        return replace(self, nullable=nullable)

    def as_value(self) -> DataType:
        """The type of what was read: nothing is said of how a column would be stored."""
        if not any(part.low_cardinality for part in self.parts):
            return self
        children = tuple((name, child.as_value()) for name, child in self.children)
        return replace(self, children=children, low_cardinality=False)

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
        if self.root == "STATE":
            return self.children[0][1].spark_sql()
        if self.root == "MULTISET":
            return f"MAP<{self.children[0][1].spark_sql()}, INT>"
        if self.children:
            return f"{self.root}<{', '.join(child.spark_sql() for _, child in self.children)}>"
        return _SPARK_NAMES[self.root][0]

    def spark_json(self) -> object:
        """How a Spark JSON schema spells it (the parsed form, to be dumped)."""
        if self.root == "DECIMAL":
            return f"decimal({self.precision},{self.scale})"
        if self.root == "STATE":
            return self.children[0][1].spark_json()
        if self.root == "ROW":
            return spark_struct(self.children)
        if self.root == "ARRAY":
            element = self.children[0][1]
            return {
                "type": "array",
                "elementType": element.spark_json(),
                "containsNull": element.nullable,
            }
        if self.root in ("MAP", "MULTISET"):
            key, value = self.entry
            return {
                "type": "map",
                "keyType": key.spark_json(),
                "valueType": value.spark_json(),
                "valueContainsNull": value.nullable,
            }
        return _SPARK_NAMES[self.root][1]

    @property
    def entry(self) -> tuple[DataType, DataType]:
        """The types of the keys and the values of a MAP, or of a MULTISET, which counts."""
        if self.root == "MULTISET":
            return self.children[0][1], DataType("INT", nullable=False)
        return self.children[0][1], self.children[1][1]


Fields = tuple[tuple[str, DataType], ...]


def spark_struct(fields: Fields, hidden: Fields = ()) -> dict[str, object]:
    """A Spark JSON schema for these fields, all of them nullable: a message may lack any.

    The `hidden` ones come last, as `__<name>`: no columns of the table, but known to the codec.
    """
    return {
        "type": "struct",
        "fields": [
            *(_field(name, child, _digits(child)) for name, child in fields),
            *(_field(f"__{name}", child, {"hidden": name}) for name, child in hidden),
        ],
    }


def _field(name: str, type_: DataType, metadata: object) -> dict[str, object]:
    return {"name": name, "type": type_.spark_json(), "nullable": True, "metadata": metadata}


def _digits(type_: DataType) -> dict[str, int]:
    """What the codecs must know of a TIME, or an array of it, beside Spark's type."""
    inner = type_.children[0][1] if type_.root == "ARRAY" else type_
    return {"digits": inner.precision or 0} if inner.root == "TIME" else {}


def spark_schema_text(fields: Fields, hidden: Fields = ()) -> str:
    """The JSON schema of these fields as text."""
    return json.dumps(spark_struct(fields, hidden), ensure_ascii=False, separators=(",", ":"))


def type_facts(name: str, type_: DataType) -> dict[str, object]:
    """A column as the Java module is told of it, without what says nothing."""
    facts = {
        "name": name,
        "root": type_.root,
        "precision": type_.precision,
        "scale": type_.scale,
        "nullable": type_.nullable,
        "zone": type_.zone,
        "labels": type_.labels,
        "children": [type_facts(*child) for child in type_.children],
    }
    return {key: value for key, value in facts.items() if value}


def quote(name: str) -> str:
    """A name as a Spark SQL identifier."""
    return "`" + name.replace("`", "``") + "`"


def literal(text: str) -> str:
    """Text as a Spark SQL string literal."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


BOOLEAN = DataType("BOOLEAN")
TINYINT = DataType("TINYINT")
INT = DataType("INT")
BIGINT = DataType("BIGINT")
DOUBLE = DataType("DOUBLE")
STRING = DataType("VARCHAR", MAX_LENGTH)
BYTES = DataType("VARBINARY", MAX_LENGTH)
DATE = DataType("DATE")
NULL = DataType("NULL")
INTERVAL_MONTHS = DataType("INTERVAL_YEAR_MONTH")
INTERVAL_MILLIS = DataType("INTERVAL_DAY_TIME")
TIMESTAMP_3 = DataType("TIMESTAMP", 3)
TIMESTAMP_LTZ_3 = DataType("TIMESTAMP_LTZ", 3)
