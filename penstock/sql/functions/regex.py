"""Flink's functions of regular expressions, Java's own, as calls of the Java module.

An expression that Java cannot compile gives NULL, in REGEXP FALSE.
"""

from __future__ import annotations

from penstock.model.types import BOOLEAN, INT, STRING, DataType
from penstock.sql.functions.base import Signature as S

_TEXTS = DataType("ARRAY", children=(("element", STRING),))
_EXTRACT = "penstock_regexp_extract({{0}}, {{1}}, {})"
_EXTRACT_ALL = "penstock_regexp_extract_all({{0}}, {{1}}, {})"

REGEX: dict[str, tuple[S, ...]] = {
    "REGEXP": (S(("text", "text"), "penstock_regexp({0}, {1})", BOOLEAN),),
    "REGEXP_COUNT": (S(("text", "text"), "penstock_regexp_count({0}, {1})", INT),),
    "REGEXP_EXTRACT": (
        S(("text", "text"), _EXTRACT.format("0"), STRING),
        S(("text", "text", "integer"), _EXTRACT.format("CAST({2} AS INT)"), STRING),
    ),
    "REGEXP_EXTRACT_ALL": (
        S(("text", "text"), _EXTRACT_ALL.format("1L"), _TEXTS),
        S(("text", "text", "integer"), _EXTRACT_ALL.format("CAST({2} AS BIGINT)"), _TEXTS),
    ),
    "REGEXP_INSTR": (S(("text", "text"), "penstock_regexp_position({0}, {1})", INT),),
    "REGEXP_REPLACE": (
        S(("text", "text", "text"), "penstock_regexp_replace({0}, {1}, {2})", STRING),
    ),
    "REGEXP_SUBSTR": (S(("text", "text"), _EXTRACT.format("0"), STRING),),
}
