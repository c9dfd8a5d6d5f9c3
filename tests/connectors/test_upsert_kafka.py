"""Options of `upsert-kafka` → what is read and written, and their rules in Flink's words."""

from __future__ import annotations

import pytest

from penstock.connectors.kafka_specs import Bound, Buffer, Startup
from penstock.errors import PenstockError
from penstock.model.changelog import ChangelogMode
from penstock.plan.walk import runs_once, scans
from tests.connectors.kafka_scripts import (
    BOUNDS,
    CREATED,
    FIRST_LINE,
    READ,
    WRITTEN,
    merged,
    planned,
    script,
)
from tests.connectors.upsert_broken import NO_KEY, PREFIXED, RULES, WITH_COLUMNS

COLUMNS = "id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED"
UPSERT: dict[str, str | None] = {
    "connector": "upsert-kafka",
    "scan.startup.mode": None,
    "format": None,
    "key.format": "json",
    "value.format": "json",
}
REGISTRY = "avro-confluent.url"


def text(options: dict[str, str | None], *, use: str = READ, columns: str = COLUMNS) -> str:
    return script({**UPSERT, **options}, use=use, columns=columns)


@pytest.mark.parametrize("use", [CREATED, READ, WRITTEN], ids=["created", "read", "written"])
@pytest.mark.parametrize("rule", RULES)
def test_broken_rule(rule: str, use: str) -> None:
    broken = RULES[rule]
    columns = broken.columns if rule in WITH_COLUMNS else COLUMNS
    with pytest.raises(PenstockError) as caught:
        planned(text(broken.options, use=use, columns=columns))
    assert caught.value.code == broken.code, str(caught.value)
    assert broken.text in str(caught.value)
    if broken.at:
        lines = [*merged({**UPSERT, **broken.options})]
        assert caught.value.span is not None
        assert caught.value.span.line == FIRST_LINE + lines.index(broken.at)


def test_the_order_of_rules() -> None:
    """Of a table that breaks all of them, each is told when those before it are kept."""
    broken: dict[str, dict[str, str | None]] = {
        "Either 'topic' or": {"topic": None},
        "'properties.bootstrap.servers'": {"properties.bootstrap.servers": None},
        "'format'": {"format": "json"},
        "as key format": {"key.format": "canal-json"},
        "as value format": {"value.format": "canal-json"},
        "require to define a PRIMARY KEY": {},
        "zero together": {"sink.buffer-flush.max-rows": "1"},
        "transactional-id-prefix must": {"sink.delivery-guarantee": "exactly-once"},
        "A key prefix is not allowed": {"key.fields-prefix": "i"},
    }
    remaining = list(broken)
    while remaining:
        options = {key: value for rule in remaining for key, value in broken[rule].items()}
        columns = NO_KEY if "require to define a PRIMARY KEY" in remaining else COLUMNS
        with pytest.raises(PenstockError) as caught:
            planned(text(options, columns=columns, use=CREATED))
        assert remaining[0] in str(caught.value)
        remaining.pop(0)


def test_read_from_the_beginning_as_upserts() -> None:
    (query,) = planned(text({"scan.parallelism": "3"})).queries
    spec = scans(query.input)[0].spec
    assert (spec.mode, spec.tombstones) == (ChangelogMode.UPSERT, True)
    assert spec.source.startup == Startup("earliest-offset", by_option=False)
    assert spec.source.reading.parallelism == 3


def test_who_asks_for_it_begins_elsewhere() -> None:
    mode = {"penstock.scan.startup.mode": "timestamp"}
    at = {"penstock.scan.startup.timestamp-millis": "7"}
    (query,) = planned(text({**mode, **at})).queries
    assert scans(query.input)[0].spec.source.startup == Startup("timestamp", timestamp_ms=7)
    with pytest.raises(PenstockError) as caught:
        planned(text(mode))
    assert "is required in 'timestamp' startup mode" in str(caught.value)
    with pytest.raises(PenstockError) as caught:
        planned(text({"scan.startup.mode": "timestamp"}))
    assert "Did you mean 'penstock.scan.startup.mode'?" in str(caught.value)


@pytest.mark.parametrize(("options", "expected"), BOUNDS.values(), ids=BOUNDS)
def test_bounded(options: dict[str, str | None], expected: Bound) -> None:
    (query,) = planned(text(options)).queries
    assert scans(query.input)[0].spec.source.bound == expected
    assert runs_once(query)


def test_discovery_and_topics() -> None:
    options = {"topic": "a;a;b", "scan.topic-partition-discovery.interval": "100 ms"}
    (query,) = planned(text({**options})).queries
    source = scans(query.input)[0].spec.source
    assert (source.topics, source.reading.discovery_ms) == (("a", "a", "b"), 100)


def test_key_and_value_columns() -> None:
    columns = "k_b INT, v STRING, k_a STRING, PRIMARY KEY (k_a, k_b) NOT ENFORCED"
    reading = (
        "CREATE TABLE s (v STRING) WITH ('connector' = 'blackhole'); INSERT INTO s SELECT v FROM t;"
    )
    (query,) = planned(text({**PREFIXED}, columns=columns, use=reading)).queries
    spec = scans(query.input)[0].spec
    read = {name: sql for name, sql, _ in spec.columns}
    assert read == {"k_b": "__key.`b`", "v": "__value.`v`", "k_a": "__key.`a`"}
    assert [name for name, _ in spec.decoded] == ["__key", "__value"]


def test_target() -> None:
    options: dict[str, str | None] = {
        "sink.delivery-guarantee": "exactly-once",
        "sink.transactional-id-prefix": "p",
        "sink.parallelism": "4",
        "sink.buffer-flush.max-rows": "100",
        "sink.buffer-flush.interval": "1 s",
    }
    (query,) = planned(text(options, use=WRITTEN)).queries
    target = query.spec.target
    assert (target.guarantee, target.transactional_id_prefix) == ("exactly-once", "p")
    assert (target.parallelism, target.buffer) == (4, Buffer(100, 1000))
    assert target.partitioner.kind == "default"
    assert query.spec.accepts == tuple(ChangelogMode)
    assert query.spec.key == ("id",)


def test_several_topics_are_written_by_the_row() -> None:
    columns = "id BIGINT, topic STRING METADATA, PRIMARY KEY (id) NOT ENFORCED"
    use = "INSERT INTO t SELECT 1, 'b';"
    (query,) = planned(text({"topic": "a;b"}, use=use, columns=columns)).queries
    assert query.spec.target.topics == ("a", "b")


@pytest.mark.parametrize("strategy", ["INCREMENTING", "POOLING"])
def test_naming_strategies_have_no_effect(strategy: str) -> None:
    plan = planned(text({"sink.transaction-naming-strategy": strategy}, use=WRITTEN))
    (note,) = plan.notes
    assert "'sink.transaction-naming-strategy' has no effect" in note


SUBJECTS: dict[str, tuple[dict[str, str | None], tuple[str, ...]]] = {
    "both": (
        {"key.format": "avro-confluent", "value.format": "avro-confluent"},
        ("t-key", "t-value"),
    ),
    "key": ({"key.format": "avro-confluent"}, ("t-key",)),
    "value": ({"value.format": "avro-confluent"}, ("t-value",)),
    "own": (
        {
            "key.format": "avro-confluent",
            "value.format": "avro-confluent",
            "key.avro-confluent.subject": "k",
            "value.avro-confluent.subject": "v",
        },
        ("k", "v"),
    ),
    "own value": (
        {
            "key.format": "avro-confluent",
            "value.format": "avro-confluent",
            "value.avro-confluent.subject": "v",
        },
        ("t-key", "v"),
    ),
}


@pytest.mark.parametrize(("options", "subjects"), SUBJECTS.values(), ids=SUBJECTS)
def test_subjects(options: dict[str, str | None], subjects: tuple[str, ...]) -> None:
    parts = ("key.", "value.")
    urls = {f"{part}{REGISTRY}": "http://x" for part in parts if f"{part}format" in options}
    (query,) = planned(text({**options, **urls}, use=WRITTEN)).queries
    written = " ".join(sql for _, sql in query.spec.columns)
    for subject in subjects:
        assert f'"subject": "{subject}"' in written


@pytest.mark.parametrize("format_", ["csv", "json", "avro", "raw"])
def test_formats_of_key_and_value(format_: str) -> None:
    options = {"key.format": format_, "value.format": format_, "value.fields-include": "EXCEPT_KEY"}
    for use in (READ, WRITTEN):
        (query,) = planned(text({**options}, use=use)).queries
        assert query.sink_table in "st"


def test_named_credentials_of_huawei() -> None:
    for key in ("ssl_auth_name", "krb_auth_name"):
        with pytest.raises(PenstockError, match="mine"):
            planned(text({key: "mine"}, use=READ))
