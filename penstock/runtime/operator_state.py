"""What each operator of a query keeps, as Spark reports it after a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class OperatorState:
    """The state of one operator, named as `explain` names its step.

    `rows` are the entries of its state: groups, kept rows, values beside them. `disk_bytes` are
    those of its files in Spark's local folders; what is newer is in memory yet. `memory_bytes` is
    its share of what all operators of the process have together.
    """

    operator: str
    rows: int = 0
    disk_bytes: int = 0
    memory_bytes: int = 0


def operator_states(
    reports: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> tuple[OperatorState, ...]:
    """Spark's reports with the names of the plan, which has the operators in the same order.

    Should Spark have made other operators of the plan, its own names are as much as is known.
    """
    shown = (
        names if len(names) == len(reports) else [one.get("operatorName", "") for one in reports]
    )
    return tuple(_state(name, one) for name, one in zip(shown, reports, strict=True))


def _state(name: str, report: Mapping[str, Any]) -> OperatorState:
    measured = report.get("customMetrics") or {}
    return OperatorState(
        name,
        int(report.get("numRowsTotal") or 0),
        int(measured.get("rocksdbSstFileSize") or 0),
        int(report.get("memoryUsedBytes") or 0),
    )
