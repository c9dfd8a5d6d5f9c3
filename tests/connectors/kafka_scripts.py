"""Scripts over one Kafka table `t`, each of its options on a line of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.catalog.connect import Overrides
from penstock.connectors.kafka_specs import Bound, KafkaSource, KafkaTarget
from penstock.plan.script import plan_script
from penstock.plan.walk import scans
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from penstock.plan.query import ScriptPlan

COLUMNS = "id BIGINT, name STRING"
OPTIONS = {
    "connector": "kafka",
    "topic": "t",
    "properties.bootstrap.servers": "x:1",
    "scan.startup.mode": "earliest-offset",
    "format": "json",
}
FIRST_LINE = 2
CREATED = ""
READ = (
    "CREATE TABLE s (id BIGINT) WITH ('connector' = 'blackhole');\nINSERT INTO s SELECT id FROM t;"
)
WRITTEN = "INSERT INTO t SELECT 1, 'a';"
# Where a table may end, and what its options are read as.
BOUNDS: dict[str, tuple[dict[str, str | None], Bound]] = {
    "latest": ({"scan.bounded.mode": "latest-offset"}, Bound("latest-offset")),
    "group": (
        {"scan.bounded.mode": "group-offsets", "properties.group.id": "g"},
        Bound("group-offsets"),
    ),
    "time": (
        {"scan.bounded.mode": "timestamp", "scan.bounded.timestamp-millis": "1"},
        Bound("timestamp", 1),
    ),
    "offsets": (
        {
            "scan.bounded.mode": "specific-offsets",
            "scan.bounded.specific-offsets": "partition:0,offset:5",
        },
        Bound("specific-offsets", offsets=((0, 5),)),
    ),
}


def merged(changes: dict[str, str | None]) -> dict[str, str]:
    """The usual options with some set anew; None takes one away."""
    return {key: value for key, value in {**OPTIONS, **changes}.items() if value is not None}


def script(changes: dict[str, str | None], *, use: str = READ, columns: str = COLUMNS) -> str:
    quoted = (f"  '{k}' = '{v.replace(chr(39), chr(39) * 2)}'" for k, v in merged(changes).items())
    lines = ",\n".join(quoted)
    return f"CREATE TABLE t ({columns}) WITH (\n{lines}\n);\n{use}"


def planned(text: str, folders: tuple[str, ...] = ()) -> ScriptPlan:
    return plan_script(parse(text), name="t", overrides=Overrides(folders=folders))


def source(changes: dict[str, str | None], *, columns: str = COLUMNS) -> KafkaSource:
    (query,) = planned(script(changes, columns=columns)).queries
    found = scans(query.input)[0].spec.source
    assert isinstance(found, KafkaSource)
    return found


def target(changes: dict[str, str | None], folders: tuple[str, ...] = ()) -> KafkaTarget:
    (query,) = planned(script(changes, use=WRITTEN), folders).queries
    found = query.spec.target
    assert isinstance(found, KafkaTarget)
    return found
