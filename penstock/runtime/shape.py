"""What a query's checkpoint was made for, kept beside it in `shape.json`.

A query that changed goes on as long as its offsets and its state mean the same: it reads the same
sources, and each of its operators keeps the same of the same rows.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from penstock.errors import RunError
from penstock.model.changelog import ChangelogMode
from penstock.plan.explain import explain_node
from penstock.plan.operators import behind_state, operators
from penstock.plan.origin import from_metadata
from penstock.plan.settings import ZONE
from penstock.plan.timed import timed_scans
from penstock.plan.walk import kept_scans
from penstock.spark.kept import keep, read_kept

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from penstock.model.span import Span
    from penstock.plan.nodes import Scan
    from penstock.plan.query import Query, ScriptPlan
    from penstock.runtime.state import JobFolder

    Shape = dict[str, Any]

_FILE = "shape.json"
# Not known of checkpoints from before it was noted: they go on in the zone that there is.
_ZONE = "zone"
_PARTS = {
    "clusters": "Kafka clusters",
    "sources": "sources",
    "watermarks": "watermarks",
    "sink key": "columns of its sink's key",
}
_BEHIND = "conditions and columns of rows that go from its sink"


def shape_of(query: Query, clusters: Sequence[str] = ()) -> Shape:
    """The shape of a query, as JSON gives it back; `clusters` are those that it reads."""
    key = () if query.mode is ChangelogMode.APPEND else query.spec.key
    timed = timed_scans(query.input)
    found: Shape = json.loads(
        json.dumps(
            {
                "query": digest(query),
                "clusters": clusters,
                "sources": [
                    _identity(scan.spec.source.identity()) for scan in kept_scans(query.input)
                ],
                "watermarks": [_watermark(scan) for scan in timed],
                "sink key": key,
                "behind": behind_state(query),
                "operators": [asdict(operator) for operator in operators(query)],
            }
        )
    )
    return found


def digest(query: Query) -> str:
    """What a query says, without what it is called: the same text elsewhere in a script has it."""
    columns = (f"{name} {expr.sql}" for name, expr in query.columns)
    text = "\n".join([query.sink_table, explain_node(query.input), *columns])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def kept_shape(folder: JobFolder, query_id: str) -> Shape:
    """What the checkpoint of a query was made for; nothing if it has none."""
    found = read_kept(folder.query(query_id) / _FILE) if folder.has_progress(query_id) else {}
    return {part: value for part, value in found.items() if part != _ZONE}


def kept_zone(folder: JobFolder, query_id: str) -> str:
    """The time zone that the state of a query was made with; "" if it is not known, or none."""
    kept = folder.has_progress(query_id)
    return str(read_kept(folder.query(query_id) / _FILE).get(_ZONE, "")) if kept else ""


def has_other_sources(folder: JobFolder, query: Query) -> bool:
    """Whether the checkpoint of a query was made for other sources."""
    before = kept_shape(folder, query.id).get("sources")
    return before is not None and before != shape_of(query)["sources"]


def check_shape(
    folder: JobFolder, plan: ScriptPlan, query: Query, clusters: Sequence[str], *, zone: str
) -> None:
    """Refuse to continue from the state of another query."""
    before, now = kept_shape(folder, query.id), shape_of(query, clusters)
    change = difference(before, now) if before else ""
    if before and now["operators"]:
        given = {**dict(plan.settings), ZONE: zone}
        fixed = {**folder.fixed_settings(query.id), ZONE: kept_zone(folder, query.id) or zone}
        change = change or _other_settings(given, fixed)
    if change:
        raise refusal(folder, query.id, change, query.span)


def keep_shape(folder: JobFolder, query: Query, clusters: Sequence[str], *, zone: str) -> None:
    """Remember what the checkpoint of a query is made for from now on."""
    now = shape_of(query, clusters)
    keep(folder.query(query.id) / _FILE, {**now, _ZONE: zone} if now["operators"] else now)


def refusal(folder: JobFolder, query_id: str, change: str, span: Span | None = None) -> RunError:
    """The error for a query that cannot go on, with the command that lets it begin anew."""
    words = ("penstock", "reset", folder.job, "--query", query_id)
    command = shlex.join((*words, "--state-dir", str(folder.path.parent)))
    facts = {"job": folder.job, "query": query_id, "change": change, "command": command}
    return RunError("STATE_CHANGED", span=span, **facts)


def difference(before: Shape, now: Shape) -> str:
    """The first thing that is no longer the same, in words; "" if all of it is."""
    if before.keys() != now.keys():
        return "it was made by another version of Penstock"
    for part, label in _PARTS.items():
        if before[part] != now[part]:
            return f"the {label} {_changed(before[part], now[part])}"
    old, new = before["operators"], now["operators"]
    if [one["kind"] for one in old] != [one["kind"] for one in new]:
        names = ([f"`{one['name']}`" for one in side] for side in (old, new))
        return f"the steps with state {_changed(*names)}"
    for one, other in zip(old, new, strict=True):
        # What runs it comes first: another engine keeps other columns, too.
        for fact in dict.fromkeys(("engine", *one["facts"], *other["facts"])):
            was, is_ = one["facts"].get(fact, []), other["facts"].get(fact, [])
            if was != is_:
                return f"of the step `{other['name']}`, the {fact} {_changed(was, is_)}"
    # What a step is made of says more than what it gives to the sink.
    changed = before["behind"] != now["behind"]
    return f"the {_BEHIND} {_changed(before['behind'], now['behind'])}" if changed else ""


def _other_settings(given: Mapping[str, str], fixed: Mapping[str, str]) -> str:
    """A setting that the state cannot follow, and that Spark would pass over silently."""
    for key, value in fixed.items():
        if given.get(key, value) != value:
            return f"its state was made with '{key}' = '{value}', and the job sets '{given[key]}'"
    return ""


def _changed(was: Sequence[str], is_: Sequence[str]) -> str:
    """Of lists of the same length only what differs."""
    if len(was) == len(is_):
        pairs = [pair for pair in zip(was, is_, strict=True) if pair[0] != pair[1]]
        was, is_ = zip(*pairs, strict=True)
    return f"changed from {', '.join(was) or 'none'} to {', '.join(is_) or 'none'}"


def _watermark(scan: Scan) -> str:
    column = scan.rowtime + from_metadata(scan.rowtime, scan)
    return f"{column} - {scan.watermark_delay_ms / 1000:g} s"


def _identity(identity: object) -> str:
    return identity if isinstance(identity, str) else ", ".join(map(str, identity))  # type: ignore[call-overload]
