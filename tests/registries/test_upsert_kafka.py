"""`upsert-kafka` with keys and values of a registry that asks for a login, with deletions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from penstock import Session
from penstock.cli.status import status_text
from penstock.kafka.record import Record
from penstock.kafka.records import consume, produce
from penstock.plan.explain import explain
from penstock.plan.explain_graph import explain_json
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.registries.messages import read, written
from tests.registries.numbers import LOGIN, basic
from tests.registries.proxy import door
from tests.security.scripts import left_behind

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus
    from tests.registries.apicurio import Registry

pytestmark = pytest.mark.kafka

_WAIT_S = 120
_PASSWORD = LOGIN.partition(":")[2]
# As another producer has them: with fields that the table lacks, in another order.
_KEY = {"type": "record", "name": "UserKey", "fields": [{"name": "id", "type": "int"}]}
_VALUE = {
    "type": "record",
    "name": "User",
    "fields": [
        {"name": "city", "type": "string"},
        {"name": "age", "type": "int"},
        {"name": "name", "type": ["null", "string"]},
        {"name": "id", "type": "int"},
    ],
}
# A name and a city by key, or the end of the row; the first four come in one batch.
_CHANGES = [
    (1, ("ann", "Rome")),
    (2, ("bob", "Oslo")),
    (3, (None, "Rome")),
    (4, ("dan", "Bonn")),
    (1, ("ann", "Oslo")),
    (2, ("bob", "Rome")),
    (3, None),
    (9, None),
]
_SCRIPT = """
CREATE TABLE users (id BIGINT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED)
WITH ({users});
CREATE TABLE southern (id BIGINT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED)
WITH ({southern}, 'value.fields-include' = 'EXCEPT_KEY');
INSERT INTO southern SELECT id, UPPER(name), city FROM users WHERE city <> 'Oslo';
"""


def _options(topic: str, url: str) -> str:
    options = {"connector": "upsert-kafka", "topic": topic, "properties.bootstrap.servers": "x:1"}
    for part in ("key", "value"):
        format_ = f"{part}.avro-confluent"
        options |= {f"{part}.format": "avro-confluent", f"{format_}.url": url}
        options |= {
            f"{format_}.basic-auth.credentials-source": "USER_INFO",
            f"{format_}.basic-auth.user-info": LOGIN,
        }
    return ", ".join(f"'{key}' = '{value}'" for key, value in options.items())


def _messages(registry: Registry, topic: str) -> list[Record]:
    """The changes as messages, their schemas registered."""
    key_id = registry.register(f"{topic}-key", _KEY)
    value_id = registry.register(f"{topic}-value", _VALUE)
    found = []
    for number, row in _CHANGES:
        value = None
        if row:
            fields = {"id": number, "name": row[0], "city": row[1], "age": 7}
            value = written(_VALUE, value_id, fields)
        found.append(Record(value, key=written(_KEY, key_id, {"id": number})))
    return found


def test_rows_and_deletions_pass_and_logins_do_not(
    spark: SparkSession,
    broker: BrokerStatus,
    registry: Registry,
    topic: Callable[..., str],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    users, southern = topic("users"), topic("southern")
    properties = {"bootstrap.servers": broker.address}
    produce(properties, users, _messages(registry, users))
    session = Session(spark, bootstrap=broker.address, state_dir=tmp_path)
    with door(registry, basic(LOGIN)) as guarded:
        tables = {
            "users": _options(users, guarded.url),
            "southern": _options(southern, guarded.url),
        }
        script = _SCRIPT.format(**tables)
        settings = {"penstock.max-offsets-per-batch": "4"}
        assert session.execute(script, name="south", settings=settings, drain=True).wait(_WAIT_S)
    key, value = (registry.latest(f"{southern}-{part}") for part in ("key", "value"))
    found: list[tuple[int, Any]] = [
        (read(key, record.key or b"")["id"], record.value and read(value, record.value))
        for record in consume(properties, southern, from_beginning=True, until_end=True)
    ]
    by_key = sorted(found, key=lambda change: change[0])
    assert by_key == [
        (1, {"name": "ANN", "city": "Rome"}),
        (1, None),
        (2, {"name": "BOB", "city": "Rome"}),
        (3, {"name": None, "city": "Rome"}),
        (3, None),
        (4, {"name": "DAN", "city": "Bonn"}),
    ]
    assert [registry.versions(f"{southern}-{part}") for part in ("key", "value")] == [[1], [1]]
    plan = plan_script(parse(script), name="south")
    shown = explain(plan) + explain_json(plan) + status_text("south", tmp_path, as_json=True)
    assert _PASSWORD not in shown
    assert left_behind(tmp_path, spark, capfd) == []
