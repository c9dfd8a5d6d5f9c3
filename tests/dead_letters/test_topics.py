"""Topics of dead letters as clusters have them: strict about times, compacted, or not there yet."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from penstock import PenstockError, Session
from penstock.cli.main import app
from penstock.kafka import admin
from penstock.kafka import broker as embedded
from tests.dead_letters.bad_messages import EVERY, BadMessages, bad, letters_to, number_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.kafka

BAD = [number for number in range(EVERY) if bad(number)]
# Messages of the tests are from 2023.
ONLY_RECENT = {"message.timestamp.before.max.ms": "3600000", "retention.ms": "3600000"}


def test_letters_of_old_messages_are_new(messages: BadMessages) -> None:
    topic = f"{messages.letters_topic}_recent"
    admin.create_topic(messages.properties, topic, config=ONLY_RECENT)
    messages.send(range(EVERY))
    assert messages.run(messages.script(letters_to(topic))).dead_letters == len(BAD)
    assert list(map(number_of, messages.all_of(topic))) == BAD


def test_replayed_to_a_topic_that_takes_no_old_messages(messages: BadMessages) -> None:
    topic = f"{messages.source}_recent"
    admin.create_topic(messages.properties, topic, config=ONLY_RECENT)
    messages.send(range(EVERY))
    messages.run(messages.script(letters_to(messages.letters_topic)))
    line = ["dead-letters", "replay", "--all", "--to", topic, "--topic", messages.letters_topic]
    line += ["--bootstrap", messages.address]
    refused = CliRunner().invoke(app, line, catch_exceptions=True).exception
    assert isinstance(refused, PenstockError)
    assert refused.code == "KAFKA_REQUEST_FAILED"
    assert CliRunner().invoke(app, [*line, "--now"]).exit_code == 0
    (record,) = messages.all_of(topic)
    assert number_of(record) in BAD


@pytest.mark.parametrize("policy", ["compact", "compact,delete"])
def test_a_compacted_topic_is_refused_before_anything_starts(
    messages: BadMessages, policy: str
) -> None:
    topic = f"{messages.letters_topic}_compacted"
    admin.create_topic(messages.properties, topic, config={"cleanup.policy": policy})
    with pytest.raises(PenstockError) as caught:
        messages.start(messages.script(letters_to(topic)))
    assert caught.value.code == "DEAD_LETTERS_COMPACTED"
    assert f"The topic '{topic}' of dead letters of table `numbers`" in str(caught.value)


def test_a_topic_that_is_not_there_is_created_with_the_first_letter(messages: BadMessages) -> None:
    topic = f"{messages.letters_topic}_new"
    messages.send(range(10))
    messages.run(messages.script(letters_to(topic)))
    assert not admin.topic_exists(messages.properties, topic)
    messages.send(range(10, EVERY))
    messages.run(messages.script(letters_to(topic)))
    assert list(map(number_of, messages.all_of(topic))) == BAD


def test_a_topic_that_nobody_would_create(messages: BadMessages, tmp_path: Path) -> None:
    """With a cluster that creates none, the job does not start."""
    extras = embedded.Extras(settings=(("auto.create.topics.enable", "false"),))
    folder = tmp_path / "broker"
    address = embedded.start(folder, owner_pid=os.getpid(), extras=extras).address
    properties = {"bootstrap.servers": address}
    try:
        for topic in (messages.source, messages.sink):
            admin.create_topic(properties, topic)
        session = Session(messages.spark, bootstrap=address, state_dir=tmp_path)
        script = messages.script(letters_to("nowhere"))
        with pytest.raises(PenstockError) as caught:
            session.execute(script, drain=True)
        assert caught.value.code == "TOPIC_MISSING"
        assert "The topic 'nowhere' of dead letters of table `numbers`" in str(caught.value)
        admin.create_topic(properties, "nowhere")
        assert session.execute(script, drain=True).wait(60)
    finally:
        embedded.stop(folder)
