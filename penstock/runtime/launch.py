"""Starts the queries of a job, each in the way its plan says: as a batch, or as a stream."""

from __future__ import annotations

import hashlib
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.connectors.base import FileTarget
from penstock.connectors.kafka_specs import KafkaTarget
from penstock.connectors.result import ResultTarget
from penstock.plan.explain import explain_node
from penstock.plan.over_streams import forgets_by_clock
from penstock.plan.query import Execution, Query, ScriptPlan
from penstock.plan.settings import MAX_OFFSETS
from penstock.plan.walk import reads_files_only, runs_once, scans
from penstock.runtime.commits import GroupCommits, SharedGroups
from penstock.runtime.offset_lookup import kafka_sources
from penstock.runtime.offsets import QueryOffsets, clusters_of
from penstock.runtime.real_time import commit_interval_ms, prompt_target
from penstock.runtime.running import Running, RunningBatch, RunningStream
from penstock.runtime.shape import check_shape, keep_shape
from penstock.runtime.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

    from penstock.runtime.operator_state import OperatorState
    from penstock.runtime.state import JobFolder
    from penstock.spark.batch import BatchJob
    from penstock.spark.place import Place
    from penstock.spark.source import Sources


# Minutes of work, where a transaction may last a quarter of an hour.
_MOST_PER_TRANSACTION = "10000000"
_DIGITS = 16
# What becomes of a bad message does not change the rows of good ones: a job that stopped at one
# may go on with another handler.
_FAILURES = re.compile(r"(?:, )?scan\.deser\.failure-[a-z]+=[^,\n]*")


@dataclass(frozen=True, slots=True)
class Launch:
    """Starts queries, each in the way its plan says; `kept` is the state that they told of last.

    `answers` are the queries so far whose rows are shown: each waits for the one before.
    """

    plan: ScriptPlan
    session: SparkSession
    folder: JobFolder
    drain: bool
    kept: Mapping[str, tuple[OperatorState, ...]] = field(default_factory=dict)
    groups: SharedGroups = field(default_factory=SharedGroups)
    answers: list[BatchJob] = field(default_factory=list)

    def check(self, query: Query) -> None:
        """Refuse a query that cannot go on from what it has kept."""
        from penstock.spark.zone import zone_of

        goes_on = not runs_once(query) and not reads_files_only(query.input)
        if goes_on and self.folder.has_progress(query.id):
            zone = zone_of(self.session)
            check_shape(self.folder, self.plan, query, clusters_of(query), zone=zone)

    def start(self, query: Query) -> Running:
        """Start one query."""
        offsets = QueryOffsets(query, self.folder, clusters_of(query))
        place = self._place(query)
        if runs_once(query):
            return self._batch(query, offsets, place)
        return self._stream(query, offsets, place)

    def _batch(self, query: Query, offsets: QueryOffsets, place: Place) -> RunningBatch:
        from penstock.spark.batch import BatchJob
        from penstock.spark.compile import compile_query
        from penstock.spark.sink import open_sink

        watch = self._watch(query, offsets, place)
        records = compile_query(query, self._sources(query, offsets, place))
        place.folder.mkdir(parents=True, exist_ok=True)
        sink = open_sink(query.spec.target, place)
        shown = isinstance(query.spec.target, ResultTarget)
        after = self.answers[-1] if shown and self.answers else None
        batch = BatchJob(records, sink, name=place.name, after=after)
        if shown:
            self.answers.append(batch)
        return RunningBatch(watch, batch, offsets.ends())

    def _stream(self, query: Query, offsets: QueryOffsets, place: Place) -> RunningStream:
        from penstock.spark.blocks import block_writer
        from penstock.spark.compile import compile_query, compile_table
        from penstock.spark.sink import Streaming, open_sink, start_stream
        from penstock.spark.zone import zone_of

        watch = self._watch(query, offsets, place)
        if reads_files_only(query.input):
            self._begin_anew(query)
        kept = self.kept.get(query.id, ()) if self.folder.has_progress(query.id) else ()
        keep_shape(self.folder, query, offsets.clusters, zone=zone_of(self.session))
        target, prompt = query.spec.target, self._real_time_ms(query)
        if prompt and isinstance(target, KafkaTarget):
            target = prompt_target(target)
        sink = open_sink(target, place)
        how = Streaming(
            place.name,
            self.folder.checkpoint(query.id),
            self.drain,
            updates=place.updates,
            poll_ms=_poll_ms(query),
            real_time_ms=prompt,
            forgets=query.ttl_ms > 0 or forgets_by_clock(query.input),
        )
        sources = self._sources(query, offsets, place)
        if query.execution is Execution.BLOCK:
            block = block_writer(query, sources, sink)
            stream = start_stream(compile_table(query, sources), sink, how, block)
        else:
            stream = start_stream(compile_query(query, sources), sink, how)
        return RunningStream(watch, stream, sink, kept)

    def _real_time_ms(self, query: Query) -> int | None:
        """How often a real-time query notes its progress; one that is drained has batches."""
        if self.drain or query.execution is not Execution.REAL_TIME:
            return None
        return commit_interval_ms(dict(self.plan.settings))

    def _watch(self, query: Query, offsets: QueryOffsets, place: Place) -> Watch:
        from penstock.spark.counters import Counters

        counters = Counters(self.session, place.key)
        counters.forget()
        commits = GroupCommits(query, offsets.ends, offsets.clusters, self.groups)
        return Watch(query, counters, commits)

    def _sources(self, query: Query, offsets: QueryOffsets, place: Place) -> Sources:
        from penstock.spark.source import Sources

        return Sources(
            self.session,
            offsets,
            batch=runs_once(query),
            place=place,
        )

    def _place(self, query: Query) -> Place:
        from penstock.spark.place import Place

        return Place(
            self.folder.query(query.id),
            f"{self.plan.name}/{query.id}",
            query.sink_table,
            self._settings(query),
            updates=query.execution is Execution.UPDATE,
            fingerprint=self._fingerprint(query),
        )

    def _settings(self, query: Query) -> dict[str, str]:
        """The job's settings; a transaction must end in time, so its batches have a limit."""
        settings = dict(self.plan.settings)
        if query.spec.target.guarantee == "exactly-once":
            return {MAX_OFFSETS: _MOST_PER_TRANSACTION, **settings}
        return settings

    def _fingerprint(self, query: Query) -> str:
        """What decides which rows a query gives and which of its tasks gets them, as a hash."""
        facts = [
            _FAILURES.sub("", explain_node(query.input)),
            *(expr.sql for _, expr in query.columns),
            *(sql for _, sql in query.spec.columns),
            *(f"{source.bound} {source.reading.parallelism}" for source in kafka_sources(query)),
            query.drops_nulls,
            query.materialized,
            self.session.conf.get("spark.sql.shuffle.partitions"),
        ]
        return hashlib.sha256("\n".join(map(str, facts)).encode()).hexdigest()[:_DIGITS]

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
