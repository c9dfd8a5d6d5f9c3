"""Starts the queries of a job, each in the way its plan says: as a batch, or as a stream."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.connectors.base import FileTarget
from penstock.connectors.kafka_specs import KafkaSource, KafkaTarget
from penstock.plan.explain import explain_node
from penstock.plan.nodes import Execution, Query, ScriptPlan, reads_files_only, scans
from penstock.runtime.commits import GroupCommits
from penstock.runtime.offsets import QueryOffsets, clusters_of
from penstock.runtime.real_time import commit_interval_ms, prompt_target
from penstock.runtime.running import Running, RunningBatch, RunningStream
from penstock.runtime.watch import Watch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from penstock.runtime.state import JobFolder
    from penstock.spark.place import Place


# Minutes of work, where a transaction may last a quarter of an hour.
_MOST_PER_TRANSACTION = "10000000"
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Launch:
    """Starts queries, each in the way its plan says."""

    plan: ScriptPlan
    session: SparkSession
    folder: JobFolder
    drain: bool

    def start(self, query: Query) -> Running:
        """Start one query."""
        if query.execution is Execution.BATCH:
            return self._batch(query)
        return self._stream(query)

    def _batch(self, query: Query) -> RunningBatch:
        from penstock.spark.batch import BatchJob
        from penstock.spark.sink import open_sink

        watch = self._watch(query)
        records = self._records(query)
        self.folder.query(query.id).mkdir(parents=True, exist_ok=True)
        sink = open_sink(query.spec.target, self._place(query))
        batch = BatchJob(records, sink, name=self._name(query))
        return RunningBatch(watch, batch, QueryOffsets(query, self.folder).ends())

    def _stream(self, query: Query) -> RunningStream:
        from penstock.spark.sink import Streaming, open_sink, start_stream

        watch = self._watch(query)
        if reads_files_only(query.input):
            self._begin_anew(query)
        self.folder.check_shape(query, clusters_of(query))
        target, prompt = query.spec.target, self._real_time_ms(query)
        if prompt and isinstance(target, KafkaTarget):
            target = prompt_target(target)
        sink = open_sink(target, self._place(query))
        how = Streaming(
            self._name(query),
            self.folder.checkpoint(query.id),
            self.drain,
            updates=query.execution is Execution.UPDATE,
            poll_ms=_poll_ms(query),
            real_time_ms=prompt,
        )
        return RunningStream(watch, start_stream(self._records(query), sink, how), sink)

    def _real_time_ms(self, query: Query) -> int | None:
        """How often a real-time query notes its progress; one that is drained has batches."""
        if self.drain or query.execution is not Execution.REAL_TIME:
            return None
        return commit_interval_ms(dict(self.plan.settings))

    def _watch(self, query: Query) -> Watch:
        from penstock.spark.counters import Counters

        counters = Counters(self.session, self._place(query).key)
        counters.forget()
        limits = QueryOffsets(query, self.folder).ends
        return Watch(query, counters, GroupCommits(query, limits))

    def _records(self, query: Query) -> DataFrame:
        from penstock.spark.compile import compile_query
        from penstock.spark.source import Sources

        sources = Sources(
            self.session,
            QueryOffsets(query, self.folder),
            batch=query.execution is Execution.BATCH,
            place=self._place(query),
        )
        return compile_query(query, sources)

    def _place(self, query: Query) -> Place:
        from penstock.spark.place import Place

        return Place(
            self.folder.query(query.id),
            self._name(query),
            query.sink_table,
            self._settings(query),
            updates=query.execution is Execution.UPDATE,
            fingerprint=self._fingerprint(query),
        )

    def _settings(self, query: Query) -> dict[str, str]:
        """The job's settings; a transaction must end in time, so its batches have a limit."""
        from penstock.spark.place import MAX_OFFSETS_SETTING

        settings = dict(self.plan.settings)
        if query.spec.target.guarantee == "exactly-once":
            return {MAX_OFFSETS_SETTING: _MOST_PER_TRANSACTION, **settings}
        return settings

    def _fingerprint(self, query: Query) -> str:
        """What decides which rows a query gives and which of its tasks gets them, as a hash."""
        sources = [scan.spec.source for scan in scans(query.input)]
        kafka = [s for s in sources if isinstance(s, KafkaSource)]
        facts = [
            explain_node(query.input),
            *(expr.sql for _, expr in query.columns),
            *(sql for _, sql in query.spec.columns),
            *(f"{source.bound} {source.reading.parallelism}" for source in kafka),
            self.session.conf.get("spark.sql.shuffle.partitions"),
        ]
        return hashlib.sha256("\n".join(map(str, facts)).encode()).hexdigest()[:_DIGITS]

    def _name(self, query: Query) -> str:
        return f"{self.plan.name}/{query.id}"

    def _begin_anew(self, query: Query) -> None:
        """A file is read whole in every run: what an earlier run kept or wrote is removed first."""
        shutil.rmtree(self.folder.query(query.id), ignore_errors=True)
        if isinstance(query.spec.target, FileTarget):
            Path(query.spec.target.path).unlink(missing_ok=True)


def _poll_ms(query: Query) -> int | None:
    """How often a stream looks for more: without a pause if one of its sources wants none."""
    pauses = [scan.spec.source.poll_ms for scan in scans(query.input) if not scan.spec.bounded]
    given = [pause for pause in pauses if pause is not None]
    return min(given) if given and len(given) == len(pauses) else None
