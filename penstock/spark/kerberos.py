"""Kerberos in Spark's JVM: the configuration that the Kafka tables of a job ask for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource, KafkaTarget
from penstock.errors import RunError
from penstock.plan.walk import scans
from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import SparkSession

    from penstock.plan.query import Query

_FILE = "java.security.krb5.conf"


def use_kerberos(session: SparkSession, queries: Iterable[Query]) -> None:
    """Set the file that tables name, else $KRB5_CONFIG, before the first of them logs in."""
    files = {file for query in queries for file in _files(query)}
    if len(files) > 1:
        raise RunError("KERBEROS_FILES_DIFFER", files=" and ".join(sorted(files)))
    for file in files:
        if not java_class(session, "penstock.kafka.admin.Kerberos").configure(file):
            raise RunError("KERBEROS_FILE_FIXED", file=file)


def _files(query: Query) -> Iterator[str]:
    specs = [*(scan.spec.source for scan in scans(query.input)), query.spec.target]
    for spec in specs:
        if isinstance(spec, KafkaSource | KafkaTarget):
            properties = dict(spec.properties)
            file = properties.get(_FILE) or os.environ.get("KRB5_CONFIG")
            if file and _is_kerberos(properties):
                yield str(file)


def _is_kerberos(properties: dict[str, str]) -> bool:
    protocol = properties.get("security.protocol", "").upper()
    # Java's own default mechanism is GSSAPI.
    mechanism = properties.get("sasl.mechanism", "GSSAPI").upper()
    return protocol.startswith("SASL") and mechanism == "GSSAPI"
