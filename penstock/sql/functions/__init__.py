"""Functions by the name a script uses: `SCALAR` and `AGGREGATE` decide what exists and means what.

What is listed gives Flink's result; what is not is refused by name. `FORMS` are the calls with a
syntax of their own, which `plan.forms` compiles: here for the reference only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.sql.functions.aggregate import AGGREGATE
from penstock.sql.functions.collection import COLLECTION
from penstock.sql.functions.conditional import CONDITIONAL
from penstock.sql.functions.numeric import NUMERIC
from penstock.sql.functions.regex import REGEX
from penstock.sql.functions.temporal import TEMPORAL
from penstock.sql.functions.text import TEXT

if TYPE_CHECKING:
    from penstock.sql.functions.base import Signature

__all__ = ["AGGREGATE", "FORMS", "SCALAR", "TOPICS"]

# topic → its functions, in the order of the reference
TOPICS: dict[str, dict[str, tuple[Signature, ...]]] = {
    "Text": TEXT,
    "Regular expressions": REGEX,
    "Numbers": NUMERIC,
    "Dates and times": TEMPORAL,
    "Conditions": CONDITIONAL,
    "Arrays and maps": COLLECTION,
}
SCALAR = {name: signatures for topic in TOPICS.values() for name, signatures in topic.items()}

# name → how it is written, the type of the result
FORMS = {
    "ARRAY": ("ARRAY[value, …]", "an array of the common type of the values"),
    "CAST": ("CAST(value AS type)", "the type"),
    "CEIL": ("CEIL(moment TO unit)", "the type of the moment"),
    "CURRENT_DATE": ("CURRENT_DATE", "DATE NOT NULL"),
    "CURRENT_TIMESTAMP": ("CURRENT_TIMESTAMP", "TIMESTAMP_LTZ(3) NOT NULL"),
    "EXTRACT": ("EXTRACT(unit FROM moment)", "BIGINT"),
    "FLOOR": ("FLOOR(moment TO unit)", "the type of the moment"),
    "LOCALTIMESTAMP": ("LOCALTIMESTAMP", "TIMESTAMP(3) NOT NULL"),
    "MAP": ("MAP[key, value, …]", "a map of the common types of the keys and values"),
    "POSITION": ("POSITION(text IN text)", "INT"),
    "ROW": ("ROW(value, …)", "a row of the fields EXPR$0, EXPR$1, …"),
    "SUBSTRING": ("SUBSTRING(text FROM position FOR length)", "VARCHAR as long as the text"),
    "TIMESTAMPADD": ("TIMESTAMPADD(unit, integer, moment)", "the type of the moment"),
    "TIMESTAMPDIFF": ("TIMESTAMPDIFF(unit, moment, moment)", "INT"),
    "TRIM": ("TRIM(BOTH | LEADING | TRAILING text FROM text)", "VARCHAR as long as the text"),
    "TRY_CAST": ("TRY_CAST(value AS type)", "the type, nullable"),
}
