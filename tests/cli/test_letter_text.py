"""Dead letters on the terminal: text as it is, other bytes so that they can be sent again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from penstock.cli.letter_text import letter_json, letter_text, list_table
from penstock.kafka.dead_letters import Letter, Place

if TYPE_CHECKING:
    import pytest

LETTER = Letter(
    Place("orders", 1, 42),
    None,
    b"\xff\x00",
    (("trace", b"[red]"), ("trace", None)),
    -1,
    "it [red] ends",
    "",
    ("orders",),
    ("shop/large", "shop/small"),
    replayed=True,
)


def test_a_letter_whole() -> None:
    lines = letter_text(LETTER).splitlines()
    assert lines[0].split() == ["place", "orders/1/42"]
    assert "time" in lines, "it had none"
    assert [line.split(maxsplit=1)[1] for line in lines if line.startswith("queries")] == [
        "shop/large, shop/small"
    ]
    assert [line.split()[2] for line in lines if line.startswith("header trace")] == [
        "[red]",
        "null",
    ]
    assert lines[-1].split(maxsplit=1) == ["value", '{"$base64": "/wA="}']
    found = json.loads(letter_json(LETTER))
    assert (found["topic"], found["partition"], found["offset"]) == ("orders", 1, 42)
    assert found["headers"] == [["trace", "[red]"], ["trace", None]]
    assert (found["key"], found["value"], found["time"]) == (None, {"$base64": "/wA="}, None)


def test_a_list_is_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    list_table([LETTER])
    shown = capsys.readouterr().out
    assert "orders/1/42" in shown
    assert "it [red] ends" in shown
    assert "yes" in shown
