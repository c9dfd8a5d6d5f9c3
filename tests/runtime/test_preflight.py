"""Brokers that do not answer: other views do not wait for each of them in turn."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from penstock.catalog.catalog import Overrides
from penstock.errors import KafkaError
from penstock.kafka import admin
from penstock.kafka.topic import TopicPartition
from penstock.plan.script import plan_script
from penstock.runtime import preflight
from penstock.runtime.commits import GroupCommits, SharedGroups
from penstock.runtime.moved import follow_groups
from penstock.runtime.offset_lookup import kafka_sources
from penstock.runtime.state import JobFolder
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from penstock.plan.query import Query

VIEWS = "CREATE TABLE kept (n Int64) ENGINE = Null;" + "".join(
    f"CREATE TABLE q{at} (n Int64) ENGINE = Kafka('x:{at}', 't', 'g{at}', 'JSONEachRow');"
    f"CREATE MATERIALIZED VIEW v{at} TO kept AS SELECT n FROM q{at};"
    for at in (1, 2, 3)
)


def _queries() -> tuple[Query, ...]:
    return plan_script(parse(VIEWS, "clickhouse"), name="j", overrides=Overrides(None, {})).queries


def test_silent_brokers_are_waited_for_together(monkeypatch: pytest.MonkeyPatch) -> None:
    all_of_them = threading.Barrier(3)

    def silent(queries: tuple[Query, ...]) -> None:
        all_of_them.wait(10)
        if queries[0].id == "v1":
            raise KafkaError("BROKER_ADDRESS_INVALID", address="x")
        if queries[0].id == "v3":
            raise OSError("no file is left")

    monkeypatch.setattr(preflight, "preflight", silent)
    found = preflight.obstacles(_queries())
    assert {name: type(error) for name, error in found.items()} == {"v1": KafkaError, "v3": OSError}


def test_a_commit_that_hangs_holds_up_no_other_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what a view commits that was stopped meanwhile holds back nobody either."""
    hangs, answers = threading.Event(), threading.Event()
    first, second, _ = _queries()
    shared, place = SharedGroups(), TopicPartition("t", 0)

    def commit(*_: object, **__: object) -> None:
        hangs.set()
        assert answers.wait(10)

    monkeypatch.setattr(admin, "commit_offsets", commit)
    shared.expect(first)
    GroupCommits(first, dict, ["c"], shared).offer({place: 5})
    assert hangs.wait(10)
    other = threading.Thread(target=lambda: (shared.expect(second), shared.forget(first.id)))
    other.start()
    other.join(5)
    is_held_up = other.is_alive()
    answers.set()
    other.join()
    assert not is_held_up
    (source,) = kafka_sources(first)
    assert shared.least(first.id, source, {place: 6}) == {}
    assert shared.least("another", source, {place: 9}) == {place: 9}


def test_only_groups_of_views_that_start_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def committed(properties: dict[str, str], group: str) -> dict[Any, Any]:
        asked.append(group)
        return {}

    monkeypatch.setattr(admin, "committed", committed)
    queries, session = _queries(), None
    folder = JobFolder("j", tmp_path)
    follow_groups(
        folder,
        queries,
        session,  # type: ignore[arg-type] # nobody is sent anywhere
        starting=queries[:2],
        running=queries[:1],
    )
    assert asked == ["g2"]
