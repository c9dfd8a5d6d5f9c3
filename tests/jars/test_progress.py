"""What is shown while jars are fetched."""

from __future__ import annotations

import io
from types import SimpleNamespace

import pytest

from penstock.jars.progress import Display


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_in_a_pipe_a_line_per_ten_jars() -> None:
    pipe = io.StringIO()
    with Display("broker jars", pipe) as display:
        for done in [0, 0, *range(26)]:
            display(done, 25, "kafka-raft")
    assert pipe.getvalue().splitlines() == [
        "broker jars: 0 of 25 jars",
        "broker jars: 10 of 25 jars",
        "broker jars: 20 of 25 jars",
        "broker jars: 25 of 25 jars",
    ]


def test_on_a_terminal_one_line_of_at_most_its_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda **_: SimpleNamespace(columns=80))
    terminal = Terminal()
    with Display("broker jars", terminal) as display:
        display(5, 10, "a-name-as-long-as-the-longest-of-maven-" * 3)
        display(10, 10, "last")
    text = terminal.getvalue()
    assert text.count("\n") == 1
    assert text.endswith("10/10\n")
    lines = text.rstrip("\n").split("\r\x1b[K")
    assert max(map(len, lines)) < 80
    assert f"{'━' * 14}{'─' * 14}  5/10 a-name" in text


def test_an_error_ends_the_line() -> None:
    terminal = Terminal()
    with pytest.raises(RuntimeError), Display("broker jars", terminal) as display:
        display(1, 10, "one")
        raise RuntimeError
    assert terminal.getvalue().endswith("one\n")


def test_nothing_is_said_if_nothing_is_fetched() -> None:
    terminal = Terminal()
    with Display("broker jars", terminal):
        pass
    assert terminal.getvalue() == ""
