"""Views of a warehouse that begin anew, or go: their checkpoints, and what their groups know.

A consumer group is told what a view has read before the view stops being what it was: a view that
is made later begins there, so that nothing is read twice and nothing is left out.
"""

from __future__ import annotations

import logging
import shutil
from typing import TYPE_CHECKING

from penstock.connectors.merge_tree import MergeTreeTable
from penstock.errors import PenstockError
from penstock.kafka import admin
from penstock.kafka.topic import TopicPartition
from penstock.runtime.commits import OWN_NOTE, SharedGroups
from penstock.runtime.offset_lookup import kafka_sources
from penstock.runtime.offsets import STARTS, QueryOffsets, clusters_of
from penstock.runtime.shape import has_other_sources
from penstock.runtime.versions import note_versions, paths_of
from penstock.spark.kept import keep, read_kept
from penstock.spark.place import last_batches

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.topic import Committed
    from penstock.plan.query import Query
    from penstock.runtime.state import JobFolder

# What is known of a view beside where it began to read tables at rest.
_PROGRESS = ("checkpoint", STARTS, "bounds.json", "shape.json")
# What Spark notes of a block that is done, and has no event time.
_DONE = 'v1\n{"nextBatchWatermarkMs":0}'
# Where a view is to begin once it has forgotten its progress.
_GOING = "going.json"

_log = logging.getLogger("penstock.job")


def begin_anew_if_other(folder: JobFolder, query: Query, session: SparkSession) -> None:
    """Forget the progress of a view whose Kafka table was made anew for other topics or a group.

    One that reads other tables than before goes on in those that it still reads.
    """
    if not folder.has_progress(query.id):
        return
    offsets = QueryOffsets(query, folder, clusters_of(query))
    if any(map(offsets.is_of_another, kafka_sources(query))):
        _note_versions(folder, query, session)
        forget_progress(folder.query(query.id))
    elif has_other_sources(folder, query):
        begin_again(session, folder.query(query.id), paths_of(query))


def begin_again(session: SparkSession, folder: Path, paths: Collection[str]) -> dict[str, int]:
    """Forget the checkpoint of a view, not how far it is: the commits of these tables at rest.

    Where it is in Kafka, `settle` has noted.
    """
    found = note_versions(session, folder, paths)
    for name in _PROGRESS:
        if name != STARTS:
            _remove(folder / name)
    return found


def _note_versions(folder: JobFolder, query: Query, session: SparkSession) -> None:
    """How far a view is in tables at rest, for when it forgets its progress in Kafka."""
    if paths := paths_of(query):
        _note_done(folder, query, _last_written(folder, query, session))
        note_versions(session, folder.query(query.id), paths)


def forget_progress(folder: Path) -> None:
    """As if the view had read nothing."""
    for name in _PROGRESS:
        _remove(folder / name)


def forget_view(folder: JobFolder, name: str, *, renamed: bool = False) -> None:
    """A view goes; one that is made under its name begins where it was, if it reads the same.

    One that was `renamed` took that with it. Of one that could not be planned nobody noted it yet.
    """
    own = folder.query(name)
    _note_starts(folder, name, _offsets_of(folder, name, last_batches(own / "checkpoint")[1]))
    for path in own.iterdir() if own.exists() else ():
        if renamed or path.name != STARTS:
            _remove(path)


def copy_view(old: Path, new: Path) -> None:
    """A view goes on under another name: all that is known of it; what was there is gone."""
    shutil.rmtree(new, ignore_errors=True)
    if old.exists():
        shutil.copytree(old, new)


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def go_to(
    folder: JobFolder,
    query: Query,
    places: Mapping[TopicPartition, int],
    session: SparkSession,
) -> None:
    """Let a view go on somewhere else in Kafka.

    1 it is noted where; 2 what the view knows is forgotten; 3 it begins there. A crash after the
    first leaves the rest to `finish_going`.
    """
    _note_versions(folder, query, session)
    starts = QueryOffsets(query, folder, clusters_of(query)).starts_at(places)
    keep(folder.query(query.id) / _GOING, starts)
    finish_going(folder, query)


def finish_going(folder: JobFolder, query: Query) -> None:
    """Do what is left of `go_to`, if anything."""
    own = folder.query(query.id)
    if starts := read_kept(own / _GOING):
        forget_progress(own)
        keep(own / STARTS, starts)
        (own / _GOING).unlink()


def settle(folder: JobFolder, query: Query, beside: Iterable[Query], session: SparkSession) -> None:
    """Before a view becomes another: its last block is done or not, and it is noted how far it is.

    The note is for a view of its name that begins anew; for others its group is told what it and
    those `beside` it have read. Without Kafka the note is all there is: a warning.
    """
    last = _last_written(folder, query, session)
    _note_done(folder, query, last)
    _note_starts(folder, query.id, _offsets_of(folder, query.id, last))
    try:
        tell_groups(folder, query, beside, session)
    except PenstockError as error:
        _log.warning("%s: its group does not know what it has read: %s", query.id, error.text)


def tell_groups(
    folder: JobFolder, query: Query, beside: Iterable[Query], session: SparkSession
) -> None:
    """Commit what a view and those beside it all have read, where its group does not know it yet.

    What somebody else has set there meanwhile stays: whoever reads next begins there.
    """
    groups, offsets = SharedGroups(), read_offsets(folder, query, session)
    for one in (query, *beside):
        groups.expect(one, read_offsets(folder, one, session))
    for source in kafka_sources(query) if offsets else ():
        properties, group = dict(source.properties), source.startup.group_id
        own = {place: at for place, at in offsets.items() if place.topic in source.topics}
        if not group or not own:
            continue
        known, least = admin.committed(properties, group), groups.least(query.id, source, own)
        further = {place: at for place, at in least.items() if _is_news(at, known.get(place))}
        if further:
            admin.commit_offsets(properties, group, offsets=further, note=OWN_NOTE)


def read_offsets(
    folder: JobFolder, query: Query, session: SparkSession
) -> dict[TopicPartition, int]:
    """Up to where the rows of a view are written, whatever it was that ended it.

    Before its first block that is where it begins, if that is known.
    """
    read = _offsets_of(folder, query.id, _last_written(folder, query, session))
    is_begun = (folder.query(query.id) / STARTS).exists()
    if read or not is_begun:
        return read
    return QueryOffsets(query, folder, clusters_of(query)).begins()


def _offsets_of(folder: JobFolder, name: str, block: int) -> dict[TopicPartition, int]:
    found: dict[TopicPartition, int] = {}
    for topic, partitions in folder.batch_offsets(name, block) if block >= 0 else ():
        for partition, offset in partitions.items():
            place = TopicPartition(topic, partition)
            found[place] = min(offset, found.get(place, offset))
    return found


def _is_news(offset: int, known: Committed | None) -> bool:
    return known is None or (known.note == OWN_NOTE and offset > known.offset)


def _note_done(folder: JobFolder, query: Query, block: int) -> None:
    """Note a block as done that is in its table: under another query it would be written again."""
    commits = folder.query(query.id) / "checkpoint" / "commits"
    if block >= 0 and not (commits / str(block)).exists():
        commits.mkdir(exist_ok=True)
        staged = commits / f".{block}.tmp"
        staged.write_text(_DONE)
        staged.replace(commits / str(block))


def _note_starts(folder: JobFolder, name: str, read: Mapping[TopicPartition, int]) -> None:
    file = folder.query(name) / STARTS
    starts = read_kept(file)
    for start in starts.values():
        for place, offset in read.items():
            if place.topic in start["offsets"]:
                start["offsets"][place.topic][str(place.partition)] = offset
    if starts and read:
        keep(file, starts)


def _last_written(folder: JobFolder, query: Query, session: SparkSession) -> int:
    """The last block whose rows are written, whether Spark knows it as done or not."""
    begun, done = last_batches(folder.query(query.id) / "checkpoint")
    return begun if begun > done and _is_written(folder, query, session, batch=begun) else done


def _is_written(folder: JobFolder, query: Query, session: SparkSession, *, batch: int) -> bool:
    """Whether a batch that Spark does not know as done is in its table."""
    from penstock.spark.delta import StoredTable
    from penstock.spark.sinks.delta import stream_id

    target = query.spec.target
    if not isinstance(target, MergeTreeTable):
        return False
    writer = stream_id(folder.query(query.id) / "checkpoint")
    return StoredTable(session, target.path).last_batch(writer) >= batch
