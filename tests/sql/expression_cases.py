"""Cases of expressions: a line of a file `*.jsonl` is one; what its keys mean, its folder says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# Spark leaves a projection of more columns than this uncompiled.
_CASES_PER_JOB = 90


@dataclass(frozen=True)
class Case:
    """One line of a file."""

    file: str
    sql: str
    zone: str = ""
    value: str | None = None
    type: str = ""
    fails: str = ""
    error: str = ""
    says: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.sql}" + (f" in {self.zone}" if self.zone else "")


def cases_in(folder: Path) -> list[Case]:
    """All cases of a folder, in the order of the files."""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            facts = json.loads(line)
            facts["value"] = facts.pop("is", None)
            found.append(Case(path.stem, **facts))
    return found


def batches(cases: Sequence[Case]) -> Iterator[tuple[Case, ...]]:
    """The cases in groups of which each is one job."""
    for start in range(0, len(cases), _CASES_PER_JOB):
        yield tuple(cases[start : start + _CASES_PER_JOB])
