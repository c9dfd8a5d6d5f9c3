"""Where a plan must find out which rows are replaced: messages tell the new row of a key only."""

from __future__ import annotations

from dataclasses import replace

from penstock.errors import PlanError
from penstock.model.changelog import ChangelogMode
from penstock.plan import keys
from penstock.plan.nodes import Filter, Join, Node, Normalize, Project, Scan
from penstock.plan.settings import DUPLICATES
from penstock.plan.walk import inputs, rebuilt
from penstock.plan.wanted import wanted_below


def normalized(node: Node, *, takes_upserts: bool, wanted: str, duplicates: bool = False) -> Node:
    """The plan with the old rows found wherever a step needs more than the new row of a key.

    `takes_upserts`: whoever takes the rows of this node knows by their key which one they replace.
    Columns that are not `wanted` are not kept: a change of them is none. With `duplicates` a change
    that says what is replaced may come again, and then says so once more.
    """
    if isinstance(node, Scan):
        again = duplicates and node.spec.mode is ChangelogMode.RETRACT
        key = keys.key_of(node)
        if again and not key:
            raise _without_key(node)
        if not (again or node.spec.mode is ChangelogMode.UPSERT) or takes_upserts:
            return node
        used = (field for field in node.fields if field.sql in key or field.sql in wanted)
        return Normalize(node, key, node.fields, tuple(used))
    below = wanted_below(node, wanted)
    children = (
        normalized(
            child,
            takes_upserts=_takes(node, side, takes_upserts),
            wanted=below,
            duplicates=duplicates,
        )
        for side, child in enumerate(inputs(node))
    )
    return rebuilt(node, tuple(children))


def by_key(node: Node) -> Node:
    """Changes that go to a table by their key as they come: what an update replaces is known."""
    if isinstance(node, Project) or (isinstance(node, Filter) and keys.takes_upserts(node)):
        return replace(node, input=by_key(node.input))
    if isinstance(node, Scan) and node.spec.mode is ChangelogMode.RETRACT and keys.key_of(node):
        return replace(node, by_key=True)
    return node


def _takes(node: Node, side: int, above: bool) -> bool:
    """Whether a step takes upserts: by itself, or since it hands them on to one that does."""
    return keys.takes_upserts(node, side) and (above or isinstance(node, Join))


def _without_key(node: Scan) -> PlanError:
    return PlanError(
        "INVALID_QUERY",
        problem=f"Configuration '{DUPLICATES}' is enabled which requires the changelog sources to "
        f"define a PRIMARY KEY. However, table '{node.table}' doesn't have a primary key.",
        instead=f"Declare one, or leave '{DUPLICATES}' out.",
    )
