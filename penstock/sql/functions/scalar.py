"""Flink's scalar functions in Spark SQL; only what gives the same result is listed."""

from __future__ import annotations

from penstock.model.types import BIGINT, BOOLEAN, DATE, DOUBLE, INT, STRING, TIMESTAMP_3
from penstock.model.types import TIMESTAMP_LTZ_3 as LTZ_3
from penstock.sql.functions.base import Signature as S
from penstock.sql.functions.base import common

SCALAR: dict[str, tuple[S, ...]] = {
    # text
    "UPPER": (S(("text",), "upper({0})", STRING),),
    "LOWER": (S(("text",), "lower({0})", STRING),),
    "CHAR_LENGTH": (S(("text",), "char_length({0})", INT),),
    "CHARACTER_LENGTH": (S(("text",), "char_length({0})", INT),),
    "CONCAT": (S(("text",), "concat({all})", STRING, variadic=True),),
    "REPLACE": (S(("text", "text", "text"), "replace({0}, {1}, {2})", STRING),),
    "REVERSE": (S(("text",), "reverse({0})", STRING),),
    # conditions
    "COALESCE": (S(("any",), "coalesce({all})", common, variadic=True),),
    "IFNULL": (S(("any", "any"), "coalesce({0}, {1})", common),),
    "NULLIF": (S(("any", "any"), "nullif({0}, {1})", 0),),
    "IF": (S(("boolean", "any", "any"), "if({0}, {1}, {2})", lambda a: common(a[1:])),),
    # numbers
    "ABS": (S(("number",), "abs({0})", 0),),
    "SQRT": (S(("number",), "sqrt({0})", DOUBLE),),
    "POWER": (S(("number", "number"), "power({0}, {1})", DOUBLE),),
    # time
    "PROCTIME": (S((), "current_timestamp()", LTZ_3.as_nullable(nullable=False)),),
    "NOW": (S((), "current_timestamp()", LTZ_3.as_nullable(nullable=False)),),
    "YEAR": (S(("date or time",), "CAST(year({0}) AS BIGINT)", BIGINT),),
    "MONTH": (S(("date or time",), "CAST(month({0}) AS BIGINT)", BIGINT),),
    "DAYOFMONTH": (S(("date or time",), "CAST(dayofmonth({0}) AS BIGINT)", BIGINT),),
    "HOUR": (S(("time",), "CAST(hour({0}) AS BIGINT)", BIGINT),),
    "MINUTE": (S(("time",), "CAST(minute({0}) AS BIGINT)", BIGINT),),
    "SECOND": (S(("time",), "CAST(second({0}) AS BIGINT)", BIGINT),),
    "DATE_FORMAT": (S(("date or time", "text"), "date_format({0}, {1})", STRING),),
    "TO_TIMESTAMP": (
        S(("text",), "TRY_CAST({0} AS TIMESTAMP_NTZ)", TIMESTAMP_3),
    ),
    "TO_DATE": (S(("text",), "TRY_CAST({0} AS DATE)", DATE),),
    # lists
    "CARDINALITY": (S(("list",), "size({0})", INT),),
    "STARTSWITH": (S(("text", "text"), "startswith({0}, {1})", BOOLEAN),),
}
