"""Messages that cannot be read: the job stops, skips some, or sends them elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from penstock import PenstockError

if TYPE_CHECKING:
    from tests.clickhouse.queue import Queue

pytestmark = pytest.mark.kafka

BROKEN = b'{"n": "x"}'


def test_by_default_the_job_stops_at_the_message(queue: Queue) -> None:
    queue.send([0, 1, 2, BROKEN])
    for _ in range(2):
        with pytest.raises(PenstockError) as caught:
            queue.run(queue.script())
        assert caught.value.code == "BAD_MESSAGE"
        assert f"'{queue.source}' (partition 1, offset 1)" in str(caught.value)
        assert "field `n`" in str(caught.value)


def test_as_many_of_a_block_are_skipped_and_counted(queue: Queue) -> None:
    queue.send([BROKEN, BROKEN, 0, 1])
    tables = queue.run(queue.script(kafka_skip_broken_messages=2))
    assert queue.copies() == [0, 1]
    assert (tables["queue"].rows_in, tables["queue"].skipped) == (4, 2)
    queue.send([BROKEN, BROKEN, 2])
    tables = queue.run(queue.script(kafka_skip_broken_messages=2))
    assert (queue.copies(), tables["queue"].skipped) == ([0, 1, 2], 2)


def test_of_a_message_the_broken_rows_are_skipped_and_each_counts(queue: Queue) -> None:
    """As in ClickHouse, the next row is looked for in the next line."""
    queue.send([b'{"n": 1}{"n": "x"}{"n": 9}', b'{"n": 2}\n{"n": "x"}\ngarbage\n{"n": 3}'])
    with pytest.raises(PenstockError) as caught:
        queue.run(queue.script(kafka_skip_broken_messages=2))
    assert caught.value.code == "BAD_MESSAGE"
    tables = queue.run(queue.script(kafka_skip_broken_messages=3))
    assert (set(queue.copies()), tables["queue"].skipped) == ({1, 2, 3}, 2)


def test_a_query_that_reads_directly_leaves_out_any(queue: Queue) -> None:
    """ClickHouse has blocks of one row there, each of which may have as many."""
    queue.send([*range(25), BROKEN, BROKEN, *range(25, 50)])
    direct = (
        "SET stream_like_engine_allow_direct_select = 1; INSERT INTO copies SELECT * FROM queue;"
    )
    tables = queue.run(queue.script(direct, kafka_skip_broken_messages=1))
    assert (queue.copies(), tables["queue"].skipped) == (list(range(50)), 2)


def test_more_of_them_stop_the_job_whichever_partitions_they_are_in(queue: Queue) -> None:
    queue.send([BROKEN, BROKEN, BROKEN, 0])
    with pytest.raises(PenstockError) as caught:
        queue.run(queue.script(kafka_skip_broken_messages=2))
    assert caught.value.code == "BAD_MESSAGE"
    tables = queue.run(queue.script(kafka_skip_broken_messages=3))
    # What the other task of the block that failed has written is written again.
    assert (set(queue.copies()), tables["queue"].skipped) == ({0}, 3)


def test_each_block_may_have_as_many(queue: Queue) -> None:
    queue.send([BROKEN, BROKEN, 0, BROKEN])
    tables = queue.run(queue.script(kafka_skip_broken_messages=2, kafka_max_block_size=2))
    assert (queue.copies(), tables["queue"].skipped) == ([0], 3)


@pytest.mark.parametrize("named", [False, True])
def test_dead_letters(named: bool, queue: Queue) -> None:
    letters = queue.topic("letters") if named else f"{queue.source}.dead-letters"
    settings = {"kafka_handle_error_mode": "dead_letter_queue"}
    settings |= {"penstock_dead_letter_topic": letters} if named else {}
    queue.send([0, BROKEN, 1])
    tables = queue.run(queue.script(**settings))
    assert queue.copies() == [0, 1]
    assert tables["queue"].dead_letters == 1
    (letter,) = queue.messages(letters)
    headers = dict(letter.headers)
    assert letter.value == BROKEN
    assert (headers["penstock.partition"], headers["penstock.offset"]) == (b"1", b"0")
    assert (headers["penstock.table"], headers["penstock.query"]) == (b"queue", b"v")


def test_a_message_that_is_a_row_is_neither_skipped_nor_counted(queue: Queue) -> None:
    queue.send([0, BROKEN, 1])
    view = "CREATE MATERIALIZED VIEW v TO copies AS SELECT n + 10 * (_error != '') AS n FROM queue;"
    tables = queue.run(queue.script(view, kafka_handle_error_mode="stream"))
    assert queue.copies() == [0, 1, 10]
    assert (tables["queue"].skipped, tables["queue"].dead_letters) == (0, 0)


def test_an_error_in_the_view_is_no_broken_message(queue: Queue) -> None:
    """It is told where its block is."""
    queue.send([b'{"n": 10}'] * 3)
    view = "CREATE MATERIALIZED VIEW v TO copies AS SELECT toInt64(concat('a', toString(n))) AS n"
    with pytest.raises(PenstockError) as caught:
        queue.run(queue.script(f"{view} FROM queue;", kafka_handle_error_mode="stream"))
    assert caught.value.code == "BAD_VALUE"
    places = f"'{queue.source}' 0 from 0 to 1, '{queue.source}' 1 from 0 to 0."
    assert caught.value.text.endswith(f"by topic, partition and offsets: {places}")
    assert queue.copies() == []
