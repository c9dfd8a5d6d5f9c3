"""ClickHouse's random values: each call has its own in each row."""

from __future__ import annotations

from penstock.model.types import DataType
from penstock.sql.clickhouse.numbers import FLOAT64, UINT32, UINT64
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.functions.clickhouse.base import Table, one

_UUID = DataType("UUID", nullable=False)
_32 = "CAST(floor(rand() * 4294967296D) AS BIGINT)"
_64 = f"(CAST({_32} AS DECIMAL(20, 0)) * 4294967296 + {_32})"
_MILLIS = "lower(lpad(hex(unix_millis(current_timestamp())), 12, '0'))"
# Milliseconds first, then the version and what is left of another one.
_TIMED = (
    f"concat(substring({_MILLIS}, 1, 8), '-', substring({_MILLIS}, 9), '-7', substring(uuid(), 16))"
)


def _any_mark(sql: str, type_: DataType) -> tuple[S, ...]:
    """An argument tells two calls apart, which are two here anyway."""
    return (S((), sql, type_), S(("any",), sql, type_, lenient=True))


RANDOMS: Table = {
    **dict.fromkeys(("rand", "rand32"), _any_mark(_32, UINT32)),
    "rand64": _any_mark(f"CAST({_64} AS DECIMAL(20, 0))", UINT64),
    "randCanonical": _any_mark("rand()", FLOAT64),
    "randUniform": one(
        ("number", "number"),
        "(CAST({0} AS DOUBLE) + rand() * (CAST({1} AS DOUBLE) - CAST({0} AS DOUBLE)))",
        FLOAT64,
    ),
    "generateUUIDv4": _any_mark("uuid()", _UUID),
    "generateUUIDv7": _any_mark(_TIMED, _UUID),
}
