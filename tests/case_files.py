"""The `.sql` cases: a script with directives in its head, its rows beside it.

Scripts of `examples/` that have their rows beside them are cases, too.

    -- partitions: 2            of every input topic (default 1)
    -- set: key = value         as `--set`
    -- fail: CODE [line:column] planning must end so; no rows then
    -- ordered                  output is compared in order (one partition)
    -- folded                   output is compared as a table: the last value of each key, and
                                deletions of what is there; expected lines have key and value

Beside `name.sql`: `name.in.TOPIC.jsonl` (one record a line, as `penstock produce --envelope` takes
it) and `name.out.TOPIC.jsonl` (one expected value a line: text is compared exactly, anything else
as JSON; `{"key": …, "value": …}` with both names compares the key too). Bytes that are no text are
`{"$base64": …}`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "cases"
EXAMPLES = ROOT / "examples"


@dataclass(frozen=True)
class Case:
    path: Path
    text: str
    directives: dict[str, str]

    @property
    def id(self) -> str:
        base = FOLDER if self.path.is_relative_to(FOLDER) else ROOT
        return str(self.path.relative_to(base).with_suffix(""))

    @property
    def settings(self) -> dict[str, str]:
        key, _, value = self.directives.get("set", "").partition("=")
        return {key.strip(): value.strip()} if key else {}

    @property
    def partitions(self) -> int:
        return int(self.directives.get("partitions", 1))

    def lines(self, direction: str) -> dict[str, list[object]]:
        """Topic → its lines, for `in` or `out`."""
        found = {}
        prefix = f"{self.path.stem}.{direction}."
        for file in sorted(self.path.parent.glob(f"{prefix}*.jsonl")):
            topic = file.name.removeprefix(prefix).removesuffix(".jsonl")
            text = file.read_text(encoding="utf-8").splitlines()
            found[topic] = [json.loads(line, parse_float=str) for line in text if line.strip()]
        return found


def load_cases(*, failing: bool) -> list[Case]:
    """All cases that must fail at planning, or all that must not; those with `.out` are run."""
    cases = [_load(path) for path in sorted(FOLDER.rglob("*.sql"))]
    return [case for case in cases if ("fail" in case.directives) == failing]


def load_examples() -> list[Case]:
    """The examples with rows beside them."""
    cases = [_load(path) for path in sorted(EXAMPLES.rglob("*.sql"))]
    return [case for case in cases if case.lines("out")]


def with_topics(text: str, prefix: str) -> str:
    """The script with every topic renamed, so that cases do not meet."""
    return re.sub(r"(\b(?:kafka_topic_list|topic)'?\s*=\s*')", rf"\g<1>{prefix}", text)


def _load(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    directives = {}
    for line in text.splitlines():
        match = re.match(r"--\s*([a-z]+)(?::\s*(.*))?$", line)
        if not match:
            break
        directives[match[1]] = (match[2] or "").strip()
    return Case(path, text, directives)
