"""Flink's page of system functions: every name on it, and why some are refused.

A name is supported if a table of this folder (or of the planner) has it; else it is refused, with
the reason given here. The reference and the error messages are written from this.
"""

from __future__ import annotations

_NO_VARIANT = (
    "There is no VARIANT type: keep the JSON as STRING, read it with JSON_VALUE or JSON_QUERY."
)
_NO_CLASSES = "Structured types are Java classes, which are not known here: use ROW(…)."
_NO_BITMAP = "There is no BITMAP type: count with COUNT(DISTINCT …), or keep an ARRAY<INT>."

_BITMAPS = (
    *("BITMAP_AND", "BITMAP_ANDNOT", "BITMAP_BUILD", "BITMAP_CARDINALITY", "BITMAP_FROM_BYTES"),
    *("BITMAP_OR", "BITMAP_TO_ARRAY", "BITMAP_TO_BYTES", "BITMAP_TO_STRING", "BITMAP_XOR"),
)
_BITMAP_AGGREGATES = tuple(
    f"BITMAP_{kind}{counted}_AGG"
    for kind in ("AND", "BUILD", "OR", "XOR")
    for counted in ("", "_CARDINALITY")
)

# name → why it is refused and what to do instead
REFUSED: dict[str, str] = {
    **dict.fromkeys((*_BITMAPS, *_BITMAP_AGGREGATES), _NO_BITMAP),
    **dict.fromkeys(("PARSE_JSON", "TRY_PARSE_JSON"), _NO_VARIANT),
    **dict.fromkeys(("OBJECT_OF", "OBJECT_UPDATE"), _NO_CLASSES),
    "CURRENT_WATERMARK": (
        "A watermark holds for a whole batch here, no row can see it; rows that come too late are "
        "left out where a window or a join asks for it."
    ),
    "SOURCE_WATERMARK": (
        "Kafka gives no watermarks of its own: write WATERMARK FOR t AS t - INTERVAL '5' SECOND."
    ),
}

# section of Flink's page → the scalar functions in it
SYSTEM_SCALAR: dict[str, tuple[str, ...]] = {
    "Arithmetic": (
        *("POWER", "ABS", "SQRT", "LN", "LOG10", "LOG2", "LOG", "EXP", "CEIL", "CEILING", "FLOOR"),
        *("SIN", "SINH", "COS", "TAN", "TANH", "COT", "ASIN", "ACOS", "ATAN", "ATAN2", "COSH"),
        *("DEGREES", "RADIANS", "SIGN", "ROUND", "PI", "E", "RAND", "RAND_INTEGER", "UUID", "BIN"),
        *("HEX", "UNHEX", "TRUNCATE"),
    ),
    "Text": (
        *("CHAR_LENGTH", "CHARACTER_LENGTH", "UPPER", "LOWER", "POSITION", "PRINTF", "TRIM"),
        *("LTRIM", "RTRIM", "BTRIM", "REPEAT", "REGEXP_REPLACE", "OVERLAY", "STARTSWITH"),
        *("ENDSWITH", "SUBSTRING", "REPLACE", "REGEXP_COUNT", "REGEXP_EXTRACT"),
        *("REGEXP_EXTRACT_ALL", "REGEXP_INSTR", "REGEXP_SUBSTR", "TRANSLATE", "INITCAP", "CONCAT"),
        *("CONCAT_WS", "LPAD", "RPAD", "FROM_BASE64", "TO_BASE64", "ASCII", "CHR", "DECODE"),
        *("ENCODE", "INSTR", "LEFT", "RIGHT", "LOCATE", "URL_DECODE", "URL_ENCODE", "INET_ATON"),
        *("INET_NTOA", "PARSE_URL", "REGEXP", "REVERSE", "SPLIT_INDEX", "STR_TO_MAP", "SUBSTR"),
        *("JSON_QUOTE", "JSON_UNQUOTE", "ELT"),
    ),
    "Dates and times": (
        *("LOCALTIME", "LOCALTIMESTAMP", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"),
        *("NOW", "CURRENT_ROW_TIMESTAMP", "EXTRACT", "YEAR", "QUARTER", "MONTH", "WEEK"),
        *("DAYOFYEAR", "DAYOFMONTH", "DAYOFWEEK", "HOUR", "MINUTE", "SECOND", "FLOOR", "CEIL"),
        *("DATE_FORMAT", "TIMESTAMPADD", "TIMESTAMPDIFF", "CONVERT_TZ", "FROM_UNIXTIME"),
        *("UNIX_TIMESTAMP", "TO_DATE", "TO_TIMESTAMP_LTZ", "TO_TIMESTAMP", "CURRENT_WATERMARK"),
        "SOURCE_WATERMARK",
    ),
    "Conditions": (
        *("CASE", "NULLIF", "COALESCE", "IF", "IFNULL", "IS_ALPHA", "IS_DECIMAL", "IS_DIGIT"),
        *("GREATEST", "LEAST"),
    ),
    "Conversions": ("CAST", "TRY_CAST", "TYPEOF", "IS_VALID_UTF8", "MAKE_VALID_UTF8"),
    "Arrays and maps": (
        *("CARDINALITY", "ELEMENT", "ARRAY_APPEND", "ARRAY_CONTAINS", "ARRAY_DISTINCT"),
        *("ARRAY_POSITION", "ARRAY_PREPEND", "ARRAY_REMOVE", "ARRAY_REVERSE", "ARRAY_SLICE"),
        *("ARRAY_SORT", "ARRAY_UNION", "ARRAY_CONCAT", "ARRAY_EXCEPT", "ARRAY_INTERSECT"),
        *("ARRAY_MAX", "ARRAY_JOIN", "ARRAY_MIN", "MAP_KEYS", "MAP_UNION", "MAP_VALUES"),
        *("MAP_ENTRIES", "MAP_FROM_ARRAYS", "SPLIT"),
    ),
    "JSON": (
        *("JSON_EXISTS", "JSON_STRING", "JSON_VALUE", "JSON_QUERY", "JSON_OBJECT", "JSON"),
        *("JSON_ARRAY", "JSON_LENGTH", "JSON_TYPE", "PARSE_JSON", "TRY_PARSE_JSON"),
    ),
    "Values": ("ROW", "ARRAY", "MAP", "DESCRIPTOR", "OBJECT_OF", "OBJECT_UPDATE"),
    "Grouping": ("GROUP_ID", "GROUPING", "GROUPING_ID"),
    "Hashes": ("MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA2"),
    "Bitmaps": _BITMAPS,
    "Catalog": ("CURRENT_DATABASE",),
}

# section of Flink's page → the functions over several rows in it
SYSTEM_AGGREGATE: dict[str, tuple[str, ...]] = {
    "Aggregates": (
        *("COUNT", "AVG", "SUM", "MAX", "MIN", "STDDEV_POP", "STDDEV_SAMP", "VAR_POP", "VAR_SAMP"),
        *("COLLECT", "VARIANCE", "RANK", "DENSE_RANK", "ROW_NUMBER", "LEAD", "LAG", "FIRST_VALUE"),
        *("LAST_VALUE", "LISTAGG", "CUME_DIST", "PERCENT_RANK", "NTILE", "ARRAY_AGG"),
        *("JSON_OBJECTAGG", "JSON_ARRAYAGG", "PERCENTILE"),
    ),
    "Aggregates of bitmaps": _BITMAP_AGGREGATES,
}

# operator on Flink's page → an expression with it over the columns a BOOLEAN, i INT, s STRING
OPERATORS: dict[str, str] = {
    "=, <>, >, >=, <, <=": "i = 1 OR i <> 1 OR i > 1 OR i >= 1 OR i < 1 OR i <= 1",
    "IS [NOT] NULL": "i IS NULL OR i IS NOT NULL",
    "IS [NOT] DISTINCT FROM": "i IS DISTINCT FROM 1 OR i IS NOT DISTINCT FROM 1",
    "[NOT] BETWEEN [SYMMETRIC | ASYMMETRIC]": (
        "i BETWEEN 1 AND 2 OR i NOT BETWEEN SYMMETRIC 2 AND 1 OR i BETWEEN ASYMMETRIC 1 AND 2"
    ),
    "[NOT] LIKE … [ESCAPE …]": "s LIKE 'a' OR s NOT LIKE 'a!%' ESCAPE '!'",
    "[NOT] SIMILAR TO … [ESCAPE …]": "s SIMILAR TO 'a' OR s NOT SIMILAR TO 'a!%' ESCAPE '!'",
    "[NOT] IN (…)": "i IN (1, 2) OR i NOT IN (1, 2)",
    "AND, OR, NOT": "a AND NOT a OR a",
    "IS [NOT] TRUE, FALSE, UNKNOWN": (
        "a IS TRUE OR a IS NOT TRUE OR a IS FALSE OR a IS NOT FALSE OR a IS UNKNOWN "
        "OR a IS NOT UNKNOWN"
    ),
    "+, -, *, /, %": "- i + i - i * i / i % i + (+ i)",
    "||": "s || s",
    "OVERLAPS": (
        "(DATE '2020-01-01', INTERVAL '1' DAY) OVERLAPS (DATE '2020-01-02', DATE '2020-01-03')"
    ),
    "IS [NOT] JSON [VALUE | SCALAR | ARRAY | OBJECT]": "s IS JSON OR s IS NOT JSON OBJECT",
    "DATE, TIMESTAMP, INTERVAL literals": (
        "TIMESTAMP '2020-01-01 00:00:00' > CAST(DATE '2020-01-01' AS TIMESTAMP) + INTERVAL '1' DAY"
    ),
    "array[1], map['key'], row.field": "ARRAY[1][1] + MAP['k', 1]['k']",
}
