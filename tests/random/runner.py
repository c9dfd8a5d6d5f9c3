"""Runs a round on Spark: the script planned as any other, its topics as files, one a batch."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from penstock.connectors.kafka_specs import KafkaSource
from penstock.plan.engine import require_runnable
from penstock.plan.query import Execution
from penstock.plan.script import plan_script
from penstock.plan.walk import runs_once
from penstock.spark.compile import compile_query
from penstock.spark.place import Place
from penstock.spark.session import prepare
from penstock.spark.source import Sources
from penstock.sql.parse import parse
from tests.random.sinks import Written

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    from penstock.connectors.base import Source
    from penstock.plan.query import Query
    from tests.random.rounds import Round

_TIMEOUT_S = 300
_INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
_MESSAGE = "key STRING, value STRING, offset BIGINT"
_RECORD = ("CAST(key AS BINARY) AS key", "CAST(value AS BINARY) AS value", "offset")


class TopicFiles(Sources):
    """Topics of one partition that are folders of files: a batch reads the next one of each."""

    def read(self, source: Source, table: str = "", *, watermark: str = "") -> DataFrame:
        """The messages of a topic."""
        if not isinstance(source, KafkaSource):
            return super().read(source, table, watermark=watermark)
        folder = str(self.place.folder / source.topics[0])
        if self.batch:
            files = self.session.read.schema(_MESSAGE).json(folder)
            # A partition is read by one task, in its order.
            messages = files.repartition(1).sortWithinPartitions("offset")
        else:
            reader = self.session.readStream.schema(_MESSAGE).option("maxFilesPerTrigger", 1)
            messages = reader.json(folder)
        place = (f"'{source.topics[0]}' AS topic", "0 AS partition")
        return messages.selectExpr(*_RECORD, *place)


@dataclass
class Run:
    """A round under way: what has been written, batch by batch, also what was written twice."""

    round: Round
    session: SparkSession
    folder: Path
    log: list[tuple[int, list[Written]]] = field(default_factory=list)
    crashed: bool = False

    def __post_init__(self) -> None:
        self.query = _planned(self.round)

    def run(self) -> None:
        """All batches, with the interruptions of the round."""
        if runs_once(self.query):
            self._provide(0, self.round.batches)
            self._keep(self._records(), 0)
            return
        stop = self.round.stop or 0
        if stop:
            self._provide(0, stop)
            self._stream()
        self._provide(stop, self.round.batches)
        self._stream()

    def _provide(self, first: int, last: int) -> None:
        for table in self.round.tables:
            folder = self.folder / table.name
            folder.mkdir(exist_ok=True)
            offset = sum(map(len, table.batches[:first]))
            for number in range(first, last):
                lines = []
                for message in table.batches[number]:
                    record = {"key": message.key, "value": message.value, "offset": offset}
                    lines.append(json.dumps(record))
                    offset += 1
                path = folder / f"{number}.json"
                path.write_text("\n".join(lines))
                os.utime(path, (number, number))

    def _records(self) -> DataFrame:
        place = Place(self.folder)
        once = runs_once(self.query)
        sources = TopicFiles(self.session, None, place=place, batch=once)  # type: ignore[arg-type]
        return compile_query(self.query, sources)

    def _stream(self) -> None:
        """What is there, batch by batch; a crash is followed by a new start."""
        from pyspark.errors import StreamingQueryException

        updates = self.query.execution is Execution.UPDATE
        stream = (
            self._records()
            .writeStream.foreachBatch(self._written)
            .outputMode("update" if updates else "append")
            .option("checkpointLocation", str(self.folder / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        crashed = self.crashed
        try:
            assert stream.awaitTermination(_TIMEOUT_S)
        except StreamingQueryException:
            if self.crashed == crashed:
                raise
            self._stream()
        finally:
            stream.stop()

    def _written(self, batch: DataFrame, number: int) -> None:
        self._keep(batch, number)
        if number == self.round.crash and not self.crashed:
            self.crashed = True
            raise RuntimeError("nobody has noted this batch")

    def _keep(self, batch: DataFrame, number: int) -> None:
        columns = {"key": "CAST(NULL AS STRING)", "value": "CAST(value AS STRING)"}
        if "key" in batch.columns:
            columns["key"] = "CAST(key AS STRING)"
        rows = batch.selectExpr(*columns.values(), "spark_partition_id()").collect()
        self.log.append((number, [Written(*row) for row in rows]))


def _planned(round_: Round) -> Query:
    plan = plan_script(parse(round_.script()), name="random")
    require_runnable(plan.queries)
    return plan.queries[0]


def run_round(round_: Round, spark: SparkSession, folder: Path) -> Run:
    """Run a round in a session of its own."""
    settings = {"spark.sql.shuffle.partitions": str(round_.tasks)}
    if not round_.compiled:
        settings |= _INTERPRETED
    found = Run(round_, prepare(spark, settings), folder)
    found.run()
    return found
