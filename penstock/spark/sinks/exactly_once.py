"""What a sink must remember and set so that its transactions hold each row once.

<query's folder>/kafka-sink.json   the topic that markers belong to, the parallelism of the last run
                                   and the prefix of its transactional ids
<query's folder>/kafka-run.json    the id of a bounded query's run, while it has not succeeded
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from penstock.errors import KafkaError, RunError
from penstock.spark.java_class import java_class
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.connectors.kafka_specs import KafkaTarget
    from penstock.spark.place import Place

# What a broker allows unless it is told otherwise.
_TRANSACTION_TIMEOUT_MS = 900_000
_RUN = "kafka-run.json"


def has_unfinished_run(folder: Path) -> bool:
    """Whether a bounded query failed after it may have written a part of its rows."""
    return (folder / _RUN).exists()


def forget_run(folder: Path) -> None:
    """A run with another guarantee begins anew."""
    (folder / _RUN).unlink(missing_ok=True)


class ExactlyOnce:
    """The transactions of one sink."""

    properties = {"transaction.timeout.ms": str(_TRANSACTION_TIMEOUT_MS)}  # noqa: RUF012

    def __init__(self, target: KafkaTarget, place: Place) -> None:
        self._target = target
        self._place = place
        self._noted = place.folder / "kafka-sink.json"
        self._run = place.folder / _RUN

    def options(self, session: SparkSession) -> dict[str, str]:
        """The writer's options; another `run` with every call."""
        parallelism = read_kept(self._noted).get("parallelism") or "-"
        return {
            "prefix": f"{self._former_prefix()}-{self._place.name}",
            "layout": f"{parallelism}/{self._place.fingerprint}",
            "markerTopic": self._marker_topic(session),
            "run": uuid.uuid4().hex,
        }

    @staticmethod
    def keep_tasks_apart(session: SparkSession) -> None:
        """A task must get the same rows again: Spark may not join tasks by what they weigh."""
        session.conf.set("spark.sql.adaptive.streaming.stateless.enabled", "false")
        session.conf.set("spark.sql.adaptive.enabled", "false")

    def has_begun_batch(self) -> bool:
        """Whether a batch was begun, and not finished, with other tasks or ids than now."""
        former = (self.former_parallelism(), self._former_prefix())
        now = (self._target.parallelism, self._target.transactional_id_prefix)
        return self._place.is_half_written() and former != now

    def former_parallelism(self) -> int | None:
        """What was noted last; the table's own if nothing was."""
        found: int | None = read_kept(self._noted).get("parallelism", self._target.parallelism)
        return found

    def _former_prefix(self) -> str | None:
        """What was noted last: only by its ids a half-written batch is known."""
        found: str | None = read_kept(self._noted).get(
            "prefix", self._target.transactional_id_prefix
        )
        return found

    def note_layout(self) -> None:
        """From now on batches are written with the table's own parallelism and prefix."""
        layout = {
            "parallelism": self._target.parallelism,
            "prefix": self._target.transactional_id_prefix,
        }
        keep(self._noted, {**read_kept(self._noted), **layout})

    def begin_run(self) -> str:
        """The id of a bounded query's run: that of a failed one is used again."""
        if not self._run.exists():
            self.note_layout()
            keep(self._run, {"id": uuid.uuid4().hex, "query": self._place.fingerprint})
        known = read_kept(self._run)
        if known["query"] != self._place.fingerprint:
            raise RunError("UNFINISHED_RUN", query=self._place.name)
        return str(known["id"])

    def end_run(self) -> None:
        """All rows are written; the next run is another one."""
        self._run.unlink()

    def _marker_topic(self, session: SparkSession) -> str:
        if not self._target.pattern:
            return self._target.topics[0]
        properties = dict(self._target.properties)
        topics = java_class(session, "penstock.kafka.sink.SinkTopics").matching(
            properties, self._target.pattern
        )
        chosen = read_kept(self._noted).get("marker topic")
        if chosen not in topics:
            if not topics:
                raise KafkaError(
                    "NO_TOPIC_MATCHES",
                    pattern=self._target.pattern,
                    table=self._place.sink_table,
                    address=properties.get("bootstrap.servers"),
                )
            chosen = topics[0]
            keep(self._noted, {**read_kept(self._noted), "marker topic": chosen})
        return str(chosen)
