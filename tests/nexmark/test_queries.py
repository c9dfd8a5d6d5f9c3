"""Every Nexmark query, as a stream and at rest: its table is what SQLite says."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from penstock.errors import PlanError
from tests.helpers import wait_until
from tests.nexmark.answers import ANSWERS
from tests.nexmark.house import NEXMARK, House

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.kafka.broker import BrokerStatus

pytestmark = pytest.mark.kafka

_BY_THE_CLOCK, _NOT_A_STREAM = 12, 6
_WINDOW_S = 10
_FOR_EVER = 2**62
# Which tables' watermarks the windows of a query wait for.
_WAITS_FOR = {8: ("person", "auction")}
# Where a stream leaves out the end, or all of it, the whole answer is looked at always.
_LEFT_OPEN = (5, 6, 7, 8, 11, 12)
_AT_REST = [
    pytest.param(number, marks=() if number in _LEFT_OPEN else pytest.mark.slow)
    for number in ANSWERS
]
_STREAMS = [number for number in ANSWERS if number not in (_BY_THE_CLOCK, _NOT_A_STREAM)]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param({"events": 3000, "partitions": 1}, id="small"),
        pytest.param({"events": 20_000, "partitions": 3}, id="large", marks=pytest.mark.slow),
    ],
)
def house(
    request: pytest.FixtureRequest,
    spark: SparkSession,
    broker: BrokerStatus,
    tmp_path_factory: pytest.TempPathFactory,
) -> House:
    house = House(tmp_path_factory.mktemp("house"), spark, broker.address, **request.param)
    for number in ANSWERS:
        for bounded in (True, False):
            house.make_topic(house.sink(number, bounded=bounded), 1)
    return house


@pytest.fixture(scope="module")
def first_window(house: House) -> float:
    """When the windows of the clock were begun, by a run that is over before they are."""
    house.run(_BY_THE_CLOCK)
    return time.monotonic()


@pytest.fixture(autouse=True)
def beside_the_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the function of q14 is found."""
    monkeypatch.chdir(NEXMARK)


@pytest.mark.parametrize("number", _STREAMS)
def test_as_a_stream(number: int, house: House, first_window: float) -> None:
    house.run(number)
    until = house.watermark(*_WAITS_FOR.get(number, ("bid",)))
    assert house.table(number) == house.events.answer(number, until=until)


@pytest.mark.parametrize("number", _AT_REST)
def test_at_rest(number: int, house: House) -> None:
    house.run(number, bounded=True)
    found = house.table(number, bounded=True)
    if number == _BY_THE_CLOCK:
        found = Counter(row[:2] for row in found.elements())
    assert found == house.events.answer(number, until=_FOR_EVER)


def test_minutes_that_are_over_are_marked(house: House) -> None:
    folder = house.folder / house.sink(10, bounded=False)
    assert [file.parent.name for file in folder.rglob("_SUCCESS")] == ["hm=23%3A59"]


def test_the_clock_closes_windows(house: House, first_window: float) -> None:
    wait_until(lambda: time.monotonic() > first_window + _WINDOW_S)
    house.run(_BY_THE_CLOCK)
    told: Counter[object] = Counter()
    for bidder, bids, began, ended in house.table(_BY_THE_CLOCK).elements():
        assert str(began)[-5:] == str(ended)[-5:] == "0.000", "windows of ten seconds"
        told[bidder] += int(str(bids))
    assert Counter(told.items()) == house.events.answer(_BY_THE_CLOCK, until=_FOR_EVER)


def test_an_average_over_rows_that_change_is_refused(house: House) -> None:
    with pytest.raises(PlanError) as caught:
        house.run(_NOT_A_STREAM)
    assert caught.value.code == "INVALID_QUERY"
