"""Records → Kafka's topics, by the writer of the Java module (`penstock.kafka.sink`).

Beside `value` a record may have `key`, `headers`, `timestamp`, `topic` and `partition`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import OptionError
from penstock.spark.java_class import java_class
from penstock.spark.sinks.base import Sink
from penstock.spark.sinks.exactly_once import ExactlyOnce, forget_run
from penstock.spark.sinks.partitioner import with_partition

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.readwriter import DataStreamWriter

    from penstock.connectors.kafka_specs import KafkaTarget
    from penstock.spark.place import Place

_PROVIDER = "penstock.kafka.sink.KafkaSinkProvider"
_REQUIRED = "org.apache.kafka.clients.producer.Partitioner"
_JAVA_PROBLEMS = {
    "missing": "Could not find and instantiate partitioner class '{name}'.",
    "type": f"Sink partitioner class '{{name}}' should implement the required class {_REQUIRED}.",
}


class KafkaSink(Sink):
    """Writes a query's records with the guarantee its table asks for."""

    def __init__(self, target: KafkaTarget, place: Place) -> None:
        self._target = target
        self._place = place
        self._exactly_once = (
            ExactlyOnce(target, place) if target.guarantee == "exactly-once" else None
        )

    def prepare(self, records: DataFrame) -> DataFrame:
        """Partitions chosen in Python, and as many tasks as the table asks for.

        What a crash left half written is first finished with the tasks and ids it was begun with.
        """
        self._check_java_partitioner(records.sparkSession)
        if self._exactly_once:
            self._exactly_once.keep_tasks_apart(records.sparkSession)
            if self._exactly_once.has_begun_batch():
                self._finish(self._laid_out(records, self._exactly_once.former_parallelism()))
            self._exactly_once.note_layout()
        return self._laid_out(records, self._target.parallelism)

    def attach(self, writer: DataStreamWriter) -> DataStreamWriter:
        """Format and options."""
        return writer.format(_PROVIDER).options(**self._options(writer._spark))

    def write(self, records: DataFrame) -> None:
        """Append all records; a run that failed is gone on with."""
        self._check_java_partitioner(records.sparkSession)
        parallelism, run = self._target.parallelism, {}
        if self._exactly_once:
            self._exactly_once.keep_tasks_apart(records.sparkSession)
            run["query"] = self._exactly_once.begin_run()
            parallelism = self._exactly_once.former_parallelism()
        else:
            forget_run(self._place.folder)
        options = self._options(records.sparkSession) | run
        records = self._laid_out(records, parallelism)
        records.write.format(_PROVIDER).options(**options).mode("append").save()
        if self._exactly_once:
            self._exactly_once.end_run()

    def _laid_out(self, records: DataFrame, parallelism: int | None) -> DataFrame:
        """As many tasks as that; partitions are chosen in them."""
        records = _in_tasks(records, parallelism)
        return with_partition(records, self._target, self._place.sink_table)

    def _finish(self, records: DataFrame) -> None:
        """Run the one batch that was begun."""
        writer = records.writeStream.queryName(self._place.name)
        writer = writer.option("checkpointLocation", str(self._place.folder / "checkpoint"))
        if self._place.updates:
            writer = writer.outputMode("update")
        self.attach(writer.trigger(once=True)).start().awaitTermination()

    def _options(self, session: SparkSession) -> dict[str, str]:
        target = self._target
        properties = dict(target.properties)
        if target.partitioner.kind == "java":
            properties["partitioner.class"] = target.partitioner.name
        options = {
            "guarantee": target.guarantee,
            "partitioner": target.partitioner.kind,
            "table": self._place.sink_table,
            "traffic": self._place.traffic(self._place.sink_table),
        }
        if target.pattern:
            options["pattern"] = target.pattern
        else:
            options["topics"] = ",".join(target.topics)
        if target.buffer:
            options["bufferRows"] = str(target.buffer.rows)
            options["bufferMillis"] = str(target.buffer.interval_ms)
        if self._exactly_once:
            properties = {**self._exactly_once.properties, **properties}
            options |= self._exactly_once.options(session)
        return options | {f"kafka.{key}": value for key, value in properties.items()}

    def _check_java_partitioner(self, session: SparkSession) -> None:
        name = self._target.partitioner.name
        if self._target.partitioner.kind == "java":
            problem = java_class(session, "penstock.kafka.sink.SinkTopics").partitionerProblem(name)
            if problem:
                raise OptionError(
                    "REFUSED_OPTION",
                    table=self._place.sink_table,
                    problem=_JAVA_PROBLEMS[problem].format(name=name),
                    instead="Put its jar on Spark's class path with SET 'spark.jars' = '…'.",
                )


def _in_tasks(records: DataFrame, parallelism: int | None) -> DataFrame:
    """One task takes all rows as they come; several get them anew, rows of a key together."""
    if parallelism is None:
        return records
    if parallelism == 1:
        return records.coalesce(1)
    keys = ["key"] if "key" in records.columns else []
    return records.repartition(parallelism, *keys)
