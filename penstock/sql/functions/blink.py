"""What Blink calls or types differently from Flink; all else is Flink's."""

from __future__ import annotations

from penstock.model.types import INT, STRING, TIMESTAMP_3
from penstock.sql.functions.base import Signature
from penstock.sql.functions.temporal import TEMPORAL


def _day(position: int) -> str:
    return f"coalesce(try_to_date({{{position}}}), try_to_date(left({{{position}}}, 10)))"


BLINK_SCALAR: dict[str, tuple[Signature, ...]] = {
    "BITAND": (Signature(("integer", "integer"), "({0} & {1})", 0),),
    "BITNOT": (Signature(("integer",), "(~ {0})", 0),),
    "BITOR": (Signature(("integer", "integer"), "({0} | {1})", 0),),
    "BITXOR": (Signature(("integer", "integer"), "({0} ^ {1})", 0),),
    "DATEDIFF": (
        Signature(("text", "text"), f"datediff({_day(0)}, {_day(1)})", INT),
        Signature(("date or time", "date or time"), "datediff({0}, {1})", INT),
    ),
    "DATE_ADD": (
        Signature(
            ("text", "int"), f"date_format(date_add({_day(0)}, {{1}}), 'yyyy-MM-dd')", STRING
        ),
        Signature(("date or time", "int"), "date_format(date_add({0}, {1}), 'yyyy-MM-dd')", STRING),
    ),
    "DATE_SUB": (
        Signature(
            ("text", "int"), f"date_format(date_sub({_day(0)}, {{1}}), 'yyyy-MM-dd')", STRING
        ),
        Signature(("date or time", "int"), "date_format(date_sub({0}, {1}), 'yyyy-MM-dd')", STRING),
    ),
    # A number is milliseconds since 1970, shown in the session's zone.
    "TO_TIMESTAMP": (
        Signature(("integer",), "CAST(timestamp_millis({0}) AS TIMESTAMP_NTZ)", TIMESTAMP_3),
        *TEMPORAL["TO_TIMESTAMP"],
    ),
}
