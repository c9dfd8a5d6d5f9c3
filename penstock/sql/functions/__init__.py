"""Functions by the name a script uses: `SCALAR` and `AGGREGATE` decide what exists and means what.

What is listed gives Flink's result; what is not is refused by name, with the reason in `REFUSED`
where there is one. `FORMS` are the calls with a
syntax of their own, which `plan.forms` compiles: here for the reference only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.sql.functions.aggregate import AGGREGATE
from penstock.sql.functions.binary import BINARY
from penstock.sql.functions.collection import COLLECTION
from penstock.sql.functions.conditional import CONDITIONAL
from penstock.sql.functions.json import JSON
from penstock.sql.functions.numeric import NUMERIC
from penstock.sql.functions.regex import REGEX
from penstock.sql.functions.system import REFUSED
from penstock.sql.functions.temporal import TEMPORAL
from penstock.sql.functions.text import TEXT

if TYPE_CHECKING:
    from penstock.sql.functions.base import Signature

__all__ = ["AGGREGATE", "FORMS", "REFUSED", "SCALAR", "TOPICS"]

# topic → its functions, in the order of the reference
TOPICS: dict[str, dict[str, tuple[Signature, ...]]] = {
    "Text": TEXT,
    "Regular expressions": REGEX,
    "Numbers": NUMERIC,
    "Dates and times": TEMPORAL,
    "Conditions": CONDITIONAL,
    "Arrays and maps": COLLECTION,
    "JSON": JSON,
    "Bytes, addresses and types": BINARY,
}
SCALAR = {name: signatures for topic in TOPICS.values() for name, signatures in topic.items()}

# name → how it is written, the type of the result
FORMS = {
    "ARRAY": ("ARRAY[value, …]", "an array of the common type of the values"),
    "CASE": ("CASE [value] WHEN … THEN … [ELSE …] END", "the common type of the results"),
    "CAST": ("CAST(value AS type)", "the type"),
    "CEIL": ("CEIL(moment TO unit)", "the type of the moment"),
    "CURRENT_DATABASE": ("CURRENT_DATABASE()", "STRING NOT NULL"),
    "CURRENT_DATE": ("CURRENT_DATE", "DATE NOT NULL"),
    "CURRENT_TIME": ("CURRENT_TIME", "TIME(0) NOT NULL"),
    "CURRENT_TIMESTAMP": ("CURRENT_TIMESTAMP", "TIMESTAMP_LTZ(3) NOT NULL"),
    "DESCRIPTOR": ("DESCRIPTOR(column)", "an argument of a window function"),
    "EXTRACT": ("EXTRACT(unit FROM moment)", "BIGINT"),
    "FLOOR": ("FLOOR(moment TO unit)", "the type of the moment"),
    "GROUP_ID": ("GROUP_ID()", "BIGINT NOT NULL"),
    "GROUPING": ("GROUPING(key, …)", "BIGINT NOT NULL"),
    "GROUPING_ID": ("GROUPING_ID(key, …)", "BIGINT NOT NULL"),
    "JSON": ("JSON(text), inside of JSON_OBJECT and JSON_ARRAY", "JSON"),
    "JSON_ARRAY": ("JSON_ARRAY([value, …] [NULL | ABSENT ON NULL])", "STRING NOT NULL"),
    "JSON_EXISTS": (
        "JSON_EXISTS(text, path [TRUE | FALSE | UNKNOWN | ERROR ON ERROR])",
        "BOOLEAN",
    ),
    "JSON_OBJECT": (
        "JSON_OBJECT([[KEY] key VALUE value, …] [NULL | ABSENT ON NULL])",
        "STRING NOT NULL",
    ),
    "JSON_QUERY": (
        "JSON_QUERY(text, path [RETURNING type] [WITHOUT | WITH [CONDITIONAL | UNCONDITIONAL] "
        "[ARRAY] WRAPPER] [NULL | EMPTY ARRAY | EMPTY OBJECT | ERROR ON EMPTY] [… ON ERROR])",
        "STRING, VARCHAR or ARRAY<STRING>",
    ),
    "JSON_STRING": ("JSON_STRING(value)", "STRING"),
    "JSON_VALUE": (
        "JSON_VALUE(text, path [RETURNING type] [NULL | ERROR | DEFAULT value ON EMPTY] "
        "[NULL | ERROR | DEFAULT value ON ERROR])",
        "STRING, VARCHAR, BOOLEAN, INT or DOUBLE",
    ),
    "LOCALTIME": ("LOCALTIME", "TIME(0) NOT NULL"),
    "LOCALTIMESTAMP": ("LOCALTIMESTAMP", "TIMESTAMP(3) NOT NULL"),
    "MAP": ("MAP[key, value, …]", "a map of the common types of the keys and values"),
    "OVERLAY": (
        "OVERLAY(text PLACING text FROM position FOR length)",
        "VARCHAR as long as both texts",
    ),
    "POSITION": ("POSITION(text IN text)", "INT"),
    "ROW": ("ROW(value, …)", "a row of the fields EXPR$0, EXPR$1, …"),
    "SUBSTRING": ("SUBSTRING(text FROM position FOR length)", "VARCHAR as long as the text"),
    "TIMESTAMPADD": ("TIMESTAMPADD(unit, integer, moment)", "the type of the moment"),
    "TIMESTAMPDIFF": ("TIMESTAMPDIFF(unit, moment, moment)", "INT"),
    "TRIM": ("TRIM(BOTH | LEADING | TRAILING text FROM text)", "VARCHAR as long as the text"),
    "TRY_CAST": ("TRY_CAST(value AS type)", "the type, nullable"),
}
