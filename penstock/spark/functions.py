"""The SQL functions of the Java module in a session; called by `spark.session`.

    penstock_json_decode(value, schema, options[, topic, partition, offset]) → ARRAY<STRUCT<…>>
    penstock_csv_decode(value, schema, options[, topic, partition, offset])  → ARRAY<STRUCT<…>>
    penstock_json_encode(row, options) → BINARY
    penstock_csv_encode(row, options)  → BINARY
    penstock_after_watermark(rowtime, condition) → BOOLEAN
    penstock_pack(values…), penstock_pack_key(values…) → BINARY
    penstock_unpack(bytes, type) → the STRUCT, its type in Spark's JSON

The scalar functions (`penstock_json_value`, `penstock_regexp`, …) are listed in the Java class
`penstock.functions.ScalarFunctions`; the tables of `sql.functions` call them.

`schema` is Spark's JSON text of a struct type, `options` a JSON object of the format's options
without its prefix; both are string literals. A message decodes to its rows, NULL if it has none:
use it under `explode` or `inline`, which also keeps Spark from decoding once more for a filter.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle
from pyspark.sql.functions import udf

from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.catalog.functions import UserFunction


def register_user_functions(spark: SparkSession, functions: tuple[UserFunction, ...]) -> None:
    """Make a script's Python functions known; rows travel to Python in Arrow batches."""
    for function in functions:
        module = sys.modules.get(function.function.__module__)
        if module is not None:
            # Its code travels along: the workers' path may be another one.
            cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]
        made = udf(function.function, function.result.spark_sql(), useArrow=True)
        spark.udf.register(function.spark_name, made)


def register(spark: SparkSession) -> None:
    """Make the functions known to a session; doing it again changes nothing."""
    session: Any = spark._jsparkSession
    java_class(spark, "penstock.formats.Functions").register(session)
    java_class(spark, "penstock.catalyst.AfterWatermark").register(session)
    java_class(spark, "penstock.catalyst.TaskNumber").register(session)
    java_class(spark, "penstock.catalyst.Pack").register(session)
    java_class(spark, "penstock.catalyst.Unpack").register(session)
    java_class(spark, "penstock.functions.ScalarFunctions").register(session)
