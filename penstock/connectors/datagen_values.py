"""Values of a generated column as Spark SQL over a row's number: the same number, the same value.

`random_value` and `sequence_value` are called by the `datagen` connector for each column; they pull
the options that the column's type knows, so that any other is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from penstock.errors import OptionError, SqlError
from penstock.model.option import Option, boolean, duration_ms, fraction, number, text, whole_number
from penstock.model.types import MAX_LENGTH, DataType, literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.option import OptionReader

NUMBER, TIME = "number", "time"
_FIELD = "fields.#."

_DECLARED: tuple[Option[Any], ...] = (
    Option("kind", text, "random", "`random` or `sequence`."),
    Option("min", number, None, "Least random number; by default the least of the type.", "Number"),
    Option("max", number, None, "Greatest random number; by default the type's.", "Number"),
    Option("max-past", duration_ms, 0, "Up to so long before now lies a random time.", "Duration"),
    Option(
        "length",
        whole_number,
        None,
        "Characters, bytes or elements; by default the type's length, 100 for STRING and BYTES, "
        "3 for ARRAY and MAP.",
        "Integer",
    ),
    Option("var-len", boolean, False, "Any length below `length`, from 1 on.", "Boolean"),
    Option("start", whole_number, None, "First number of a sequence.", "Long"),
    Option("end", whole_number, None, "Last number of a sequence; the table ends there.", "Long"),
    Option("null-rate", fraction, 0.0, "The share of NULLs, from 0 to 1.", "Float"),
)
FIELD_OPTIONS = {option.key: option.under(_FIELD) for option in _DECLARED}

# root → (least, greatest) of the integer types
_INTEGERS = {
    "TINYINT": (-(2**7), 2**7 - 1),
    "SMALLINT": (-(2**15), 2**15 - 1),
    "INT": (-(2**31), 2**31 - 1),
    "BIGINT": (-(2**63), 2**63 - 1),
}
# Flink takes Java's Float.MIN_VALUE and Double.MIN_VALUE, which are the least above zero.
_FLOATS = {"FLOAT": (1.4e-45, 3.4028234663852886e38), "DOUBLE": (4.9e-324, 1.7976931348623157e308)}
_TEXT_LENGTH, _ELEMENTS = 100, 3
_HEX_DIGITS = 128  # of one SHA-512


@dataclass(frozen=True, slots=True)
class Field:
    """A column or a part of one: `path` names its options, `key` what its values depend on."""

    options: OptionReader
    seed: str
    path: str
    type: DataType
    key: tuple[str, ...] = (NUMBER,)

    def pull(self, name: str) -> Any:
        """One of its options."""
        declared = FIELD_OPTIONS[name]
        return self.options.pull(replace(declared, key=f"fields.{self.path}.{name}"))

    def part(self, name: str, type_: DataType, *index: str) -> Field:
        """A field of a row, an element of a collection."""
        return replace(self, path=f"{self.path}.{name}", type=type_, key=(*self.key, *index))

    def hash(self, purpose: str = "") -> str:
        """64 random bits of this field in this row."""
        seed = literal(f"{self.seed}.{self.path}{purpose}")
        return f"xxhash64({seed}, {', '.join(self.key)})"

    def refuse(self, name: str, value: object, expected: str) -> OptionError:
        """An option whose value cannot be."""
        key = f"fields.{self.path}.{name}"
        return OptionError(
            "INVALID_OPTION_VALUE",
            span=self.options.span(key),
            table=self.options.table,
            option=key,
            value=value,
            expected=expected,
        )


def random_value(field: Field) -> str:
    """A random value of the field's type."""
    maker = _RANDOM.get(field.type.root)
    if maker is None:
        raise SqlError(
            "UNSUPPORTED_TYPE", column=field.path, type=field.type, instead="datagen has no such."
        )
    sql = maker(field)
    if field.type.root in _WITHOUT_NULLS:
        return sql
    rate = field.pull("null-rate")
    return f"IF({_uniform(field, '?')} < {rate}D, NULL, {sql})" if rate else sql


def sequence_value(field: Field) -> tuple[str, int | None]:
    """The number that follows, as the field's type; and how many there are, None if no end."""
    if field.type.root in ("BOOLEAN", *_NOW):
        return _RANDOM[field.type.root](field), None
    start, end = field.pull("start"), field.pull("end")
    for name, value in (("start", start), ("end", end)):
        if value is None:
            key = f"fields.{field.path}.{name}"
            raise OptionError(
                "CONFLICTING_OPTIONS",
                table=field.options.table,
                conflict=f"Could not find required property '{key}' for sequence generator.",
                instead="Add it to the WITH clause.",
            )
    least, greatest = _INTEGERS.get(field.type.root, _INTEGERS["BIGINT"])
    if not least <= start <= end <= greatest:
        raise field.refuse("end", end, f"from the start {start} on, within the type {field.type}")
    value = f"({_bigint(start)} + {NUMBER})"
    if field.type.root in ("BINARY", "VARBINARY"):
        return f"unhex(lpad(hex({value}), 16, '0'))", end - start + 1
    if field.type.children:
        raise field.refuse("kind", "sequence", f"'random' for the type {field.type}")
    return f"CAST({value} AS {field.type.spark_sql()})", end - start + 1


def _integer(field: Field) -> str:
    low, high = _range(field, _INTEGERS[field.type.root])
    return f"CAST({_between(field, int(low), int(high))} AS {field.type.spark_sql()})"


def _between(field: Field, low: int, high: int) -> str:
    width = high - low + 1
    if width == 2**64:
        return field.hash()
    if width < 2**63:
        return f"({_bigint(low)} + pmod({field.hash()}, {_bigint(width)}))"
    wide = f"pmod(CAST({field.hash()} AS DECIMAL(20, 0)), CAST('{width}' AS DECIMAL(20, 0)))"
    return f"CAST(CAST('{low}' AS DECIMAL(20, 0)) + {wide} AS BIGINT)"


def _float(field: Field) -> str:
    low, high = _range(field, _FLOATS[field.type.root])
    return f"CAST({_spread(field, low, high)} AS {field.type.spark_sql()})"


def _decimal(field: Field) -> str:
    precision, scale = field.type.precision or 10, field.type.scale or 0
    low, high = _range(field, _FLOATS["DOUBLE"])
    largest = 10**precision - 1
    least = max(-largest, _unscaled(low, scale, precision))
    most = min(largest, _unscaled(high, scale, precision))
    target = field.type.spark_sql()
    if most - least + 1 >= 2**63 or scale > 17:
        return f"CAST({_spread(field, least / 10**scale, most / 10**scale)} AS {target})"
    unit = f"CAST('1E-{scale}' AS DECIMAL({scale + 1}, {scale}))"
    return f"CAST(CAST({_between(field, least, most)} AS DECIMAL(19, 0)) * {unit} AS {target})"


def _unscaled(value: float, scale: int, precision: int) -> int:
    """A bound in the type's smallest unit, cut off as Flink does."""
    return int(min(max(value, -(10.0**precision)), 10.0**precision) * 10**scale)


def _text(field: Field) -> str:
    return _hex(field, 1) if field.type.root in ("CHAR", "VARCHAR") else f"unhex({_hex(field, 2)})"


def _hex(field: Field, digits_each: int) -> str:
    length = field.type.precision or 1
    variable = False
    if field.type.root in ("VARCHAR", "VARBINARY"):
        given = field.pull("length")
        if given is not None and not 0 < given <= length:
            raise field.refuse("length", given, f"from 1 to {length}, as the type says")
        length = given or (_TEXT_LENGTH if length == MAX_LENGTH else length)
        variable = field.pull("var-len")
    key = ", ".join((literal(f"{field.seed}.{field.path}"), *field.key))
    digits = length * digits_each
    if digits <= _HEX_DIGITS:
        random = f"sha2(concat_ws(':', {key}), 512)"
    else:
        blocks = f"sequence(1, {-(-digits // _HEX_DIGITS)})"
        each = f"block -> sha2(concat_ws(':', {key}, block), 512)"
        random = f"array_join(transform({blocks}, {each}), '')"
    taken = str(digits)
    if variable and length > 1:
        taken = f"{digits_each} * CAST(1 + pmod({field.hash('#')}, {length - 1}L) AS INT)"
    return f"substr({random}, 1, {taken})"


def _timestamp(field: Field) -> str:
    past = field.pull("max-past")
    ms = f"unix_millis({TIME})" + (f" - pmod({field.hash()}, {past}L)" if past else "")
    if field.type.root == "TIMESTAMP_LTZ":
        return f"timestamp_millis({ms})"
    # Flink reads the machine's clock as UTC for a TIMESTAMP without zone.
    return f"timestampadd(MILLISECOND, {ms}, TIMESTAMP_NTZ '1970-01-01 00:00:00')"


def _array(field: Field) -> str:
    ((_, element),) = field.type.children
    return _elements(field, "element", element, field.pull("length"))


def _map(field: Field) -> str:
    (_, key), (_, value) = field.type.children
    length = field.pull("length")
    keys, values = (
        _elements(field, name, type_, length) for name, type_ in (("key", key), ("value", value))
    )
    return f"map_from_arrays({keys}, {values})"


def _elements(field: Field, name: str, type_: DataType, length: int | None) -> str:
    count = _ELEMENTS if length is None else length
    if count < 0:
        raise field.refuse("length", count, "0 or more")
    index = f"i{len(field.key)}"
    value = random_value(field.part(name, type_, index))
    # A sequence from 1 to 0 would count down.
    return f"transform(slice(sequence(1, {max(count, 1)}), 1, {count}), {index} -> {value})"


def _row(field: Field) -> str:
    parts = (
        f"{literal(name)}, {random_value(field.part(name, type_))}"
        for name, type_ in field.type.children
    )
    return f"named_struct({', '.join(parts)})"


def _range(field: Field, default: tuple[float, float]) -> tuple[float, float]:
    low, high = (
        fallback if given is None else given
        for given, fallback in zip((field.pull("min"), field.pull("max")), default, strict=True)
    )
    if field.type.root in _INTEGERS and not (
        default[0] <= low <= high <= default[1] and int(low) == low and int(high) == high
    ):
        raise field.refuse("max", high, f"whole, from the minimum {low} on, within {field.type}")
    if low > high:
        raise field.refuse("max", high, f"the minimum {low} or more")
    return low, high


def _spread(field: Field, low: float, high: float) -> str:
    share = _uniform(field)
    return f"({low!r}D * (1D - {share}) + {high!r}D * {share})"


def _uniform(field: Field, purpose: str = "") -> str:
    """A number from 0 to below 1: 52 bits, so that a product with it stays below its bound."""
    return f"(shiftrightunsigned({field.hash(purpose)}, 12) / 4503599627370496D)"


def _bigint(value: int) -> str:
    return f"CAST('{value}' AS BIGINT)"


_NOW = ("DATE", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ")
_WITHOUT_NULLS = ("BINARY", "VARBINARY", "DATE", "TIME")
_RANDOM: dict[str, Callable[[Field], str]] = {
    "BOOLEAN": lambda field: f"(pmod({field.hash()}, 2L) = 0)",
    **dict.fromkeys(_INTEGERS, _integer),
    **dict.fromkeys(_FLOATS, _float),
    "DECIMAL": _decimal,
    **dict.fromkeys(("CHAR", "VARCHAR", "BINARY", "VARBINARY"), _text),
    "DATE": lambda field: f"CAST({TIME} AS DATE)",
    "TIME": lambda field: f"CAST({TIME} AS {field.type.spark_sql()})",
    "TIMESTAMP": _timestamp,
    "TIMESTAMP_LTZ": _timestamp,
    "ARRAY": _array,
    "MAP": _map,
    "ROW": _row,
}
