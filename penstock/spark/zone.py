"""The time zone of a session, in which instants are shown, cast and shifted to local times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.spark.java_class import java_class

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SESSION_ZONE = "spark.sql.session.timeZone"


def zone_of(session: SparkSession) -> str:
    """The zone by one name for all that are the same: `Etc/UTC`, `+00:00` and `Z` are `UTC`."""
    times = java_class(session, "org.apache.spark.sql.catalyst.util.DateTimeUtils")
    name = str(times.getZoneId(session.conf.get(SESSION_ZONE)).normalized().getId())
    return "UTC" if name == "Z" else name


def use_zone(session: SparkSession, zone: str) -> None:
    """From now on."""
    session.conf.set(SESSION_ZONE, zone)
