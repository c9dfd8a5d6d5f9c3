"""The text of a type → `DataType`: in a column list, in CAST, in a setting."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from penstock.errors import SqlError
from penstock.model.types import MAX_LENGTH, DataType
from penstock.sql.clickhouse.cursor import Cursor
from penstock.sql.clickhouse.dialect import ClickHouse
from penstock.sql.clickhouse.numbers import FLOATS, INTEGERS
from penstock.sql.clickhouse.types import BY_ALIAS, BY_NAME, PlainType, array_of

if TYPE_CHECKING:
    from collections.abc import Callable

# Types that will not run here → why
REFUSED = {
    **dict.fromkeys(
        ("Int128", "Int256", "UInt128", "UInt256", "Decimal256"),
        "Spark's numbers have 38 digits at most; use Decimal(38, 0) or String.",
    ),
    **dict.fromkeys(("JSON", "Object", "Dynamic", "Variant"), "Declare it as String."),
    **dict.fromkeys(("Point", "Ring", "LineString", "Polygon", "MultiPolygon"), "Use Tuple."),
    "BFloat16": "Use Float32.",
    "Time": "Use String.",
    "Time64": "Use String.",
}
# What SimpleAggregateFunction may merge values by → the types it takes, if not any
SIMPLE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("any", "anyLast", "max", "min"), ()),
    "sum": ("BIGINT", "UINT64", "DOUBLE", "DECIMAL"),
    "sumWithOverflow": (*INTEGERS, *FLOATS, "DECIMAL"),
    **dict.fromkeys(("groupBitAnd", "groupBitOr", "groupBitXor"), tuple(INTEGERS)),
    **dict.fromkeys(("groupArrayArray", "groupUniqArrayArray"), ("ARRAY",)),
}
_DECIMALS = {"Decimal32": 9, "Decimal64": 18, "Decimal128": 38}
_ENUM_RANGES = {"ENUM8": (-128, 127), "ENUM16": (-32768, 32767)}
_MAX_DECIMAL = 38
_SPARK_DIGITS = 6


def read_type(cursor: Cursor, column: str) -> DataType:
    """The type that stands next, or an error that names the column."""
    return _Reader(cursor, column).type()


def type_of(text: str, column: str) -> DataType:
    """The type of values that a text names, as in CAST(x, 'UInt8')."""
    tokens = ClickHouse().tokenize(text)
    if not tokens:
        raise SqlError("UNSUPPORTED_TYPE", column=column, type=f"'{text}'", instead="")
    cursor = Cursor(tokens, text)
    found = read_type(cursor, column)
    cursor.finish()
    return found.as_value()


def _misfit(function: str) -> str:
    if function == "sum":
        return "A sum is UInt64, Int64, Float64 or Decimal(38, s); sumWithOverflow keeps the type."
    return f"{function} takes {'an Array' if function.endswith('Array') else 'numbers'}."


def _values_instead(function: str) -> str:
    return f"A state of {function} is a sketch of ClickHouse's, which Spark has not. {_VALUES}"


_VALUES = (
    "Keep the values, AggregateFunction(groupArray, …), and ask these: FROM (SELECT "
    "groupArrayMerge(s) AS a FROM t) ARRAY JOIN a AS x."
)
# Aggregates whose states are sketches of all values.
_OF_ALL_VALUES = ("median", "quantile", "topK")


class _Reader:
    """Reads one type; `column` is for the errors."""

    def __init__(self, cursor: Cursor, column: str) -> None:
        self.cursor = cursor
        self.column = column

    def type(self) -> DataType:
        start = self.cursor.at
        name = self._name()
        if name in BY_NAME or name.upper() in BY_ALIAS:
            return self._plain(BY_NAME.get(name) or BY_ALIAS[name.upper()])
        reader = self._READERS.get(name)
        if reader is not None:
            return reader(self, name)
        raise self.unsupported(start, REFUSED.get(name, "") or self._near(name))

    def _name(self) -> str:
        name = self.cursor.identifier()
        for words in (("UNSIGNED",), ("SIGNED",), ("PRECISION",)):
            if f"{name.upper()} {words[0]}" in BY_ALIAS and self.cursor.accept(*words):
                return f"{name} {words[0]}"
        return name

    def _near(self, name: str) -> str:
        lowered = {known.lower(): known for known in (*BY_NAME, *self._READERS)}
        near = difflib.get_close_matches(name.lower(), lowered, n=1)
        return f"Did you mean {lowered[near[0]]}?" if near else ""

    def unsupported(self, start: int, instead: str) -> SqlError:
        tokens = self.cursor.tokens
        first, last = tokens[start], tokens[max(start, self.cursor.at - 1)]
        self.cursor.at = start
        return SqlError(
            "UNSUPPORTED_TYPE",
            span=self.cursor.span,
            column=self.column,
            type=self.cursor.text[first.start : last.end + 1],
            instead=instead,
        )

    def _plain(self, plain: PlainType) -> DataType:
        if plain.root == "VARCHAR" and self.cursor.word() == "(":
            # VARCHAR(255) is a String of any length.
            self.cursor.items(self.cursor.number)
        length = MAX_LENGTH if plain.root == "VARCHAR" else None
        return DataType(plain.root, length, nullable=False)

    def _nullable(self, name: str) -> DataType:
        start = self.cursor.at - 1
        (inner,) = self._types(1)
        if inner.children:
            raise self.unsupported(start, "Arrays, maps and tuples cannot be Nullable.")
        return inner.as_nullable()

    def _low_cardinality(self, name: str) -> DataType:
        return replace(self._types(1)[0], low_cardinality=True)

    def _types(self, count: int) -> list[DataType]:
        start = self.cursor.at - 1
        found = self.cursor.items(self.type)
        if len(found) != count:
            raise self.unsupported(start, f"It takes {count} type{'s' if count > 1 else ''}.")
        return found

    def _array(self, name: str) -> DataType:
        return array_of(self._types(1)[0])

    def _map(self, name: str) -> DataType:
        children = zip(("key", "value"), self._types(2), strict=True)
        return DataType("MAP", children=tuple(children), nullable=False)

    def _tuple(self, name: str) -> DataType:
        start = self.cursor.at - 1
        fields = self.cursor.items(self._field)
        named = [field for field in fields if field[0]]
        if not fields or (named and len(named) != len(fields)):
            raise self.unsupported(start, "Name all fields of a Tuple, or none.")
        children = [(field or str(i), type_) for i, (field, type_) in enumerate(fields, 1)]
        return DataType("ROW", children=tuple(children), nullable=False)

    def _field(self) -> tuple[str, DataType]:
        ahead = self.cursor.word(1)
        name = "" if ahead in ("(", ",", ")") else self.cursor.identifier()
        return name, self.type()

    def _decimal(self, name: str) -> DataType:
        start = self.cursor.at - 1
        sizes = self.cursor.items(self.cursor.number) if self.cursor.word() == "(" else []
        if name in _DECIMALS:
            precision, scale = _DECIMALS[name], sizes[0] if len(sizes) == 1 else -1
        else:
            precision, scale = (*sizes, *(10, 0)[len(sizes) :])[:2]
        if not (0 <= scale <= precision and 1 <= precision <= _MAX_DECIMAL and len(sizes) <= 2):
            raise self.unsupported(start, "Decimal(P, S) needs 1 <= P <= 38 and 0 <= S <= P.")
        return DataType("DECIMAL", precision, scale, nullable=False)

    def _datetime(self, name: str) -> DataType:
        zone = self.cursor.items(self.cursor.string) if self.cursor.word() == "(" else []
        return DataType("TIMESTAMP_LTZ", 0, nullable=False, zone=self._zone(zone))

    def _datetime64(self, name: str) -> DataType:
        start = self.cursor.at - 1
        precision, zones = 3, []
        if self.cursor.accept("("):
            precision = self.cursor.number()
            zones = [self.cursor.string()] if self.cursor.accept(",") else []
            self.cursor.expect(")")
        if not 1 <= precision <= _SPARK_DIGITS:
            advice = "Spark keeps microseconds: use DateTime64(1) to DateTime64(6), or DateTime."
            raise self.unsupported(start, advice)
        return DataType("TIMESTAMP_LTZ", precision, nullable=False, zone=self._zone(zones))

    def _zone(self, zones: list[str]) -> str:
        for zone in zones:
            try:
                ZoneInfo(zone)
            except (ValueError, OSError, ZoneInfoNotFoundError):
                self.cursor.at -= 2
                self.cursor.fail(f"there is no time zone '{zone}'")
        return zones[0] if zones else ""

    def _fixed_string(self, name: str) -> DataType:
        start = self.cursor.at - 1
        sizes = self.cursor.items(self.cursor.number)
        if len(sizes) != 1 or sizes[0] < 1:
            raise self.unsupported(start, "FixedString(N) needs N > 0.")
        return DataType("FIXEDSTRING", sizes[0], nullable=False)

    def _enum(self, name: str) -> DataType:
        start = self.cursor.at - 1
        labels: list[tuple[str, int]] = []
        for label, given in self.cursor.items(self._label):
            number = given if given is not None else (labels[-1][1] + 1 if labels else 1)
            labels.append((label, number))
        numbers = [number for _, number in labels]
        root = name.upper()
        if root == "ENUM":
            low, high = _ENUM_RANGES["ENUM8"]
            root = "ENUM8" if all(low <= n <= high for n in numbers) else "ENUM16"
        low, high = _ENUM_RANGES[root]
        if not labels or not all(low <= n <= high for n in numbers):
            raise self.unsupported(start, f"Its numbers lie between {low} and {high}.")
        if len(dict(labels)) < len(labels) or len(set(numbers)) < len(labels):
            raise self.unsupported(start, "A name or a number stands in it twice.")
        ordered = sorted(labels, key=lambda label: label[1])
        return DataType(root, nullable=False, labels=tuple(ordered))

    def _label(self) -> tuple[str, int | None]:
        label = self.cursor.string()
        return label, self.cursor.number() if self.cursor.accept("=") else None

    def _simple_aggregate(self, name: str) -> DataType:
        """SimpleAggregateFunction(sum, UInt64) holds plain values of its type."""
        start = self.cursor.at - 1
        self.cursor.expect("(")
        function = self.cursor.identifier()
        self.cursor.expect(",")
        inner = self.type()
        self.cursor.expect(")")
        if function not in SIMPLE:
            raise self.unsupported(start, f"Supported are {', '.join(SIMPLE)}.")
        if (SIMPLE[function] and inner.root not in SIMPLE[function]) or (
            function == "sum" and inner.root == "DECIMAL" and inner.precision != _MAX_DECIMAL
        ):
            raise self.unsupported(start, _misfit(function))
        return replace(inner, merged=function)

    def _aggregate(self, name: str) -> DataType:
        """AggregateFunction(sum, UInt64) holds the state of an aggregate."""
        from penstock.sql.functions.clickhouse.states import PLAIN_KINDS, state_type

        start = self.cursor.at - 1
        self.cursor.expect("(")
        function = self.cursor.identifier()
        if self.cursor.word() == "(":
            while self.cursor.word() not in (")", ""):
                self.cursor.at += 1
            self.cursor.accept(")")
            raise self.unsupported(start, _values_instead(function))
        types = []
        while self.cursor.accept(","):
            types.append(self.type())
        found = state_type(function, types) if self.cursor.accept(")") else None
        if found is None:
            if function.startswith(_OF_ALL_VALUES):
                raise self.unsupported(start, _values_instead(function))
            kinds = ", ".join(PLAIN_KINDS)
            advice = "with and without -If, and with types that are not Nullable."
            raise self.unsupported(start, f"States are kept of {kinds}, {advice}")
        return found

    _READERS: ClassVar[dict[str, Callable[[_Reader, str], DataType]]] = {
        "Nullable": _nullable,
        "LowCardinality": _low_cardinality,
        "Array": _array,
        "Map": _map,
        "Tuple": _tuple,
        "Enum": _enum,
        "Enum8": _enum,
        "Enum16": _enum,
        "FixedString": _fixed_string,
        "DateTime": _datetime,
        "DateTime32": _datetime,
        "TIMESTAMP": _datetime,
        "DATETIME": _datetime,
        "DateTime64": _datetime64,
        "AggregateFunction": _aggregate,
        "SimpleAggregateFunction": _simple_aggregate,
        **dict.fromkeys(("Decimal", "DECIMAL", "DEC", "NUMERIC", *_DECIMALS), _decimal),
    }
