"""Classes of a session's JVM: the full name of one in, the class out.

Asked for part by part (`jvm.a.b.C`), Java looks for `a`, `a.b` and each of them behind every
package that PySpark imports, in all of its jars; by its full name a class is there at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def java_class(session: SparkSession, name: str) -> Any:
    """The class of this name, whose methods can be called."""
    return getattr(session.sparkContext._jvm, name)
