"""Where a Kafka table begins and ends: `scan.startup.*` and `scan.bounded.*`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from penstock.connectors.kafka_rules import conflict, refusal
from penstock.connectors.kafka_specs import Bound, Startup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.errors import OptionError
    from penstock.model.table import Table

_RESET, _GROUP = "properties.auto.offset.reset", "properties.group.id"
_RESETS = ("latest", "earliest", "none")
_LISTED = re.compile(r"partition:([0-9]+),offset:([+-]?[0-9]+)")
# Stands for the group's committed offset in a list of offsets, as Flink numbers it.
_COMMITTED = -3


def read_startup(table: Table, values: Mapping[str, Any]) -> Startup:
    """Where the first run begins; an explicit reset policy counts in every mode."""
    offsets = _offsets(table, values, "startup")
    reset = table.option(_RESET)
    if reset is not None and reset.lower() not in _RESETS:
        raise refusal(
            table,
            _RESET,
            f"auto.offset.reset can not be set to {reset}. Valid values: [{','.join(_RESETS)}]",
            "It counts where a partition has no offset to begin at.",
        )
    return Startup(
        values["scan.startup.mode"],
        group_id=values[_GROUP],
        reset=reset.lower() if reset else None,
        timestamp_ms=values["scan.startup.timestamp-millis"],
        offsets=offsets,
    )


def read_bound(table: Table, values: Mapping[str, Any]) -> Bound | None:
    """Where reading ends, if it does."""
    offsets = _offsets(table, values, "bounded")
    mode = values["scan.bounded.mode"]
    if mode == "unbounded":
        return None
    return Bound(mode, values["scan.bounded.timestamp-millis"], offsets)


def group_refusal(table: Table, startup: Startup, bound: Bound | None) -> OptionError | None:
    """Committed offsets are some group's: what cannot be read without one."""
    for end, mode, offsets in (
        ("startup", startup.mode, startup.offsets),
        ("bounded", bound and bound.mode, bound.offsets if bound else ()),
    ):
        committed = mode == "group-offsets" or _COMMITTED in dict(offsets).values()
        # A group that never committed anything, as Flink's page says: the policy decides.
        by_policy = end == "startup" and startup.reset in ("earliest", "latest")
        if committed and not startup.group_id and not by_policy:
            key, instead = f"scan.{end}.mode", "choose another than 'group-offsets'"
            if mode != "group-offsets":
                key, instead = f"scan.{end}.specific-offsets", "write no -3, its committed offset"
            elif end == "startup":
                instead += " (the default)"
            return conflict(
                table,
                key,
                "Property group.id is required when using committed offset for offsets "
                "initializer.",
                f"Add 'properties.group.id', or {instead}, in '{key}'.",
            )
    return None


def _offsets(table: Table, values: Mapping[str, Any], end: str) -> tuple[tuple[int, int], ...]:
    """The offsets listed by partition, after a look at what the mode needs."""
    mode, listed = values[f"scan.{end}.mode"], f"scan.{end}.specific-offsets"
    needed = {"timestamp": f"scan.{end}.timestamp-millis", "specific-offsets": listed}.get(mode)
    if needed and values[needed] is None:
        problem = f"'{needed}' is required in '{mode}' {end} mode but missing."
        raise conflict(table, f"scan.{end}.mode", problem, "Add it to the WITH clause.")
    if needed != listed:
        return ()
    if len(values["topic"] or ()) != 1:
        problem = "Currently Kafka source only supports specific offset for single topic."
        raise conflict(table, listed, problem, "Make a table of each topic.")
    return _listed(table, listed, values[listed])


def _listed(table: Table, key: str, text: str) -> tuple[tuple[int, int], ...]:
    found = [_LISTED.fullmatch(part) for part in text.rstrip(";").split(";")]
    if not all(found):
        raise refusal(
            table,
            key,
            f"Invalid properties '{key}' should follow the format "
            f"'partition:0,offset:42;partition:1,offset:300', but is '{text}'.",
            "Write it without blanks; -2 stands for the earliest offset, -1 for the latest.",
        )
    return tuple({int(match[1]): int(match[2]) for match in found if match}.items())
