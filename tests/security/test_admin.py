"""The questions of `kafka.admin`, asked by Kafka's Java client."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from penstock.errors import KafkaError
from penstock.kafka import admin, java_admin
from penstock.kafka.security import needs_java
from penstock.kafka.topic import Committed, TopicPartition
from tests.helpers import wait_until
from tests.security.certificates import PASSWORD
from tests.security.ways import WAYS, Way, properties_of

if TYPE_CHECKING:
    from tests.security.cluster import Cluster

pytestmark = pytest.mark.kafka


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_every_way_gives_the_same_answers(cluster: Cluster, way: Way) -> None:
    properties = properties_of(cluster, way)
    topic = cluster.topic("asked", [b"1", b"2"])
    where = TopicPartition(topic, 0)
    assert topic in [known.name for known in admin.list_topics(properties)]
    assert admin.describe(properties, [topic])[0].partitions == 1
    assert admin.beginning_offsets(properties, [topic]) == {where: 0}
    assert admin.end_offsets(properties, [topic]) == {where: 2}
    assert admin.offsets_for_timestamp(properties, [topic], timestamp_ms=0) == {where: 0}


def _tls(cluster: Cluster) -> dict[str, str]:
    return properties_of(cluster, next(way for way in WAYS if way.name == "tls-jks"))


def test_topics_and_groups_are_changed(cluster: Cluster) -> None:
    properties = _tls(cluster)
    assert needs_java(properties)
    topic = cluster.topic("gone")
    where = TopicPartition(f"{topic}.new", 0)
    assert admin.create_topic(properties, where.topic, config={"cleanup.policy": "compact"})
    assert not admin.create_topic(properties, where.topic, if_not_exists=True)
    assert admin.topic_settings(properties, where.topic)["cleanup.policy"] == "compact"
    assert admin.broker_settings(properties)["auto.create.topics.enable"] == "true"
    with pytest.raises(KafkaError, match="exists already"):
        admin.create_topic(properties, where.topic)
    assert admin.committed_offsets(properties, topic) == {}
    admin.commit_offsets(properties, topic, offsets={where: 0})
    assert admin.committed(properties, topic) == {where: Committed(0)}
    admin.commit_offsets(properties, topic, offsets={where: 0}, note="by me")
    assert admin.committed(properties, topic) == {where: Committed(0, "by me")}
    assert admin.delete_topic(properties, where.topic)
    assert not admin.delete_topic(properties, where.topic, if_exists=True)
    with pytest.raises(KafkaError, match=r"does not exist.*Did you mean"):
        admin.describe(properties, [where.topic])


def test_a_child_that_died_is_replaced(cluster: Cluster) -> None:
    properties = _tls(cluster)
    admin.check_reachable(properties)
    for process in java_admin._processes.values():
        os.kill(process._process.pid, signal.SIGKILL)
        wait_until(process.has_ended)
    admin.check_reachable(properties)


_ORPHAN = """
import json, os, sys, time
from penstock.kafka import admin, java_admin
admin.check_reachable(json.loads(sys.stdin.readline()))
print(*(process._process.pid for process in java_admin._processes.values()), flush=True)
time.sleep(60)
"""


def test_the_child_ends_with_a_parent_that_is_killed_and_hides_its_secrets(
    cluster: Cluster,
) -> None:
    command = [sys.executable, "-c", _ORPHAN]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdin and parent.stdout
        parent.stdin.write(json.dumps(_tls(cluster)) + "\n")
        parent.stdin.flush()
        child = int(parent.stdout.readline())
        shown = _command_and_environment(child)
        assert "AdminServer" in shown
        assert PASSWORD not in shown
        parent.kill()
    wait_until(lambda: not _runs(child))


def _command_and_environment(pid: int) -> str:
    """What every user of the machine may read of a process."""
    places = [Path("/proc", str(pid), name) for name in ("cmdline", "environ")]
    if places[0].exists():
        return "".join(place.read_bytes().decode() for place in places)
    command = ["ps", "eww", "-o", "args", "-p", str(pid)]
    return subprocess.run(command, capture_output=True, text=True).stdout


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
