"""ClickHouse's functions by name: what is listed gives ClickHouse's result, the rest is refused.

Names are case-sensitive, except those in `ANY_CASE`, which ClickHouse takes from SQL. `ALIASES` are
other names of the same functions, `REFUSED` says why a well-known function is not here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.sql.functions.clickhouse.accurate import ACCURATE
from penstock.sql.functions.clickhouse.addresses import ADDRESSES
from penstock.sql.functions.clickhouse.aggregates import AGGREGATES as PLAIN
from penstock.sql.functions.clickhouse.bits import BITS
from penstock.sql.functions.clickhouse.calendar import CALENDAR
from penstock.sql.functions.clickhouse.choices import CHOICES
from penstock.sql.functions.clickhouse.clocks import CLOCKS
from penstock.sql.functions.clickhouse.collections import COLLECTIONS
from penstock.sql.functions.clickhouse.combinators import COMBINED
from penstock.sql.functions.clickhouse.conditions import CONDITIONS
from penstock.sql.functions.clickhouse.conversions import CONVERSIONS
from penstock.sql.functions.clickhouse.hashes import HASHES
from penstock.sql.functions.clickhouse.json import JSON
from penstock.sql.functions.clickhouse.letters import LETTERS
from penstock.sql.functions.clickhouse.maps import MAPS
from penstock.sql.functions.clickhouse.maths import MATHS
from penstock.sql.functions.clickhouse.moments import MOMENTS
from penstock.sql.functions.clickhouse.over_arrays import OVER_ARRAYS, REDUCED
from penstock.sql.functions.clickhouse.parametric import PARAMETERS
from penstock.sql.functions.clickhouse.randoms import RANDOMS
from penstock.sql.functions.clickhouse.roundings import ROUNDINGS
from penstock.sql.functions.clickhouse.searches import SEARCHES
from penstock.sql.functions.clickhouse.shapes import SHAPES
from penstock.sql.functions.clickhouse.states import FINISHED, STATES
from penstock.sql.functions.clickhouse.steps import STEPS
from penstock.sql.functions.clickhouse.temporal import TEMPORAL
from penstock.sql.functions.clickhouse.texts import TEXTS
from penstock.sql.functions.clickhouse.urls import URLS
from penstock.sql.functions.clickhouse.windows import WINDOWS
from penstock.sql.functions.clickhouse.words import WORDS

if TYPE_CHECKING:
    from penstock.sql.functions.clickhouse.base import Table

__all__ = [
    "AGGREGATE",
    "AGGREGATES",
    "ALIASES",
    "ANY_CASE",
    "FINISHED",
    "OVER",
    "REFUSED",
    "SCALAR",
    "TOPICS",
    "WINDOWS",
]

TOPICS: dict[str, Table] = {
    "Conversions": CONVERSIONS,
    "Exact conversions": ACCURATE,
    "Numbers": MATHS,
    "Bits": BITS,
    "Roundings, powers and more of bits": ROUNDINGS,
    "Texts": TEXTS,
    "Searches": SEARCHES,
    "Words, padding and digests": WORDS,
    "Bytes, tokens and readable sizes": LETTERS,
    "Hashes": HASHES,
    "URLs": URLS,
    "Addresses": ADDRESSES,
    "Dates and times": TEMPORAL,
    "Times in texts of many forms": MOMENTS,
    "Calendar": CALENDAR,
    "Ages, zones and parts of seconds": CLOCKS,
    "Conditions": CONDITIONS,
    "Choices by a value": CHOICES,
    "Arrays, maps and tuples": COLLECTIONS,
    "Arrays, step by step": STEPS,
    "Arrays turned and compared, tuples": SHAPES,
    "Aggregates of an array": REDUCED,
    "Maps": MAPS,
    "JSON": JSON,
    "Random values": RANDOMS,
}
AGGREGATES: Table = {**PLAIN, **PARAMETERS, **COMBINED, **OVER_ARRAYS, **STATES}
# Looked up by upper-case name, as the planner does; `plan.clickhouse` checks the letter case.
_CALLED = (*TOPICS.values(), FINISHED)
SCALAR = {n.upper(): found for topic in _CALLED for n, found in topic.items()}
AGGREGATE = {name.upper(): found for name, found in AGGREGATES.items()}
OVER = {name.upper(): found for name, found in WINDOWS.items()}

# other name → the function's own
ALIASES = {
    "substr": "substring",
    "mid": "substring",
    "lcase": "lower",
    "ucase": "upper",
    "char_length": "lengthUTF8",
    "character_length": "lengthUTF8",
    "octet_length": "length",
    "replace": "replaceAll",
    "lpad": "leftPad",
    "rpad": "rightPad",
    "ltrim": "trimLeft",
    "rtrim": "trimRight",
    "regexp_replace": "replaceRegexpAll",
    "to_base64": "base64Encode",
    "from_base64": "base64Decode",
    "concat_ws": "concatWithSeparator",
    "year": "toYear",
    "month": "toMonth",
    "quarter": "toQuarter",
    "day": "toDayOfMonth",
    "dayofmonth": "toDayOfMonth",
    "dayofweek": "toDayOfWeek",
    "dayofyear": "toDayOfYear",
    "hour": "toHour",
    "minute": "toMinute",
    "second": "toSecond",
    "dateTrunc": "date_trunc",
    "date_diff": "dateDiff",
    "timestamp_diff": "dateDiff",
    "current_timestamp": "now",
    "current_date": "today",
    "curdate": "today",
    "toDateTime32": "toDateTime",
    "last_day": "toLastDayOfMonth",
    "from_unixtime": "fromUnixTimestamp",
    "date_format": "formatDateTime",
    "date": "toDate",
    "ceil": "ceiling",
    "truncate": "trunc",
    "power": "pow",
    "ln": "log",
    "mod": "modulo",
    "flatten": "arrayFlatten",
    "any_value": "any",
    "first_value": "any",
    "last_value": "anyLast",
    "array_agg": "groupArray",
    "mapContainsKey": "mapContains",
    **{
        f"visitParam{name}": f"simpleJSON{name}"
        for name in (
            "Has",
            *(f"Extract{kind}" for kind in ("Bool", "Int", "UInt", "Float", "String", "Raw")),
        )
    },
    "countDistinct": "uniqExact",
    "countDistinctIf": "uniqExactIf",
    "timezone": "timeZone",
    "denseRank": "dense_rank",
    "percentRank": "percent_rank",
}
# Names that may be written in any letter case.
ANY_CASE = {
    *(
        alias
        for alias in ALIASES
        if not alias.startswith(
            ("mapContains", "flatten", "visitParam", "dateTrunc", "toDateTime32", "countDistinct")
        )
    ),
    *WINDOWS,
    *("abs", "and", "any", "avg", "ceiling", "coalesce", "concat", "cos", "count", "date_trunc"),
    *("dateAdd", "dateSub", "date_add", "date_sub", "timestamp_add", "timestamp_sub"),
    *("acos", "ascii", "asin", "atan", "atan2", "degrees", "hypot", "makeDate", "monthName"),
    *("radians", "space"),
    *("dateDiff", "e", "exp", "floor", "format", "greatest", "hex", "if", "ifNull", "isNull"),
    *(
        "least",
        "left",
        "right",
        "locate",
        "length",
        "log",
        "log10",
        "log2",
        "lower",
        "max",
        "MD5",
        "median",
        "min",
    ),
    *("not", "now", "nullIf", "or", "pi", "position", "pow", "repeat", "reverse", "round", "sign"),
    *("sin", "sqrt", "substring", "substringIndex", "sum", "tan", "today", "trimBoth", "unhex"),
    *(
        "trunc",
        "upper",
        "version",
        "xor",
        "CRC32",
        "SHA1",
        "toString",
        "ilike",
        "like",
        "notLike",
        "range",
    ),
}
_UNIQ = "Use uniqExact or uniq."
_HASH = "Use cityHash64, sipHash64, xxHash64 or murmurHash3_64."
_VALUES = (
    "Its state is a sketch, which Spark has not. Keep values, `groupArrayState(x) AS s`, and ask "
    "these: `FROM (SELECT groupArrayMerge(s) AS a FROM t) ARRAY JOIN a AS x`."
)
REFUSED = {
    **dict.fromkeys(("farmHash64", "metroHash64", "xxh3", "wyHash64"), _HASH),
    **dict.fromkeys(("uniqTheta", "uniqUpTo"), _UNIQ),
    **dict.fromkeys(
        ("dictGet", "dictGetOrDefault", "dictGetOrNull", "dictHas", "joinGet"),
        "There are no dictionaries here: join the table that it would be made of.",
    ),
    **dict.fromkeys(("quantileTDigest", "quantileTiming", "quantileGK"), "Use quantile."),
    **{
        f"{name}{suffix}": _VALUES
        for name in ("median", "quantile", "quantiles", "topK")
        for suffix in ("State", "Merge", "IfState", "IfMerge", "StateIf", "MergeIf")
    },
    "toWeek": "Use toISOWeek.",
}
