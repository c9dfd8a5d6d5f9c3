"""Where a plan must find out which rows are replaced: messages tell the new row of a key only."""

from __future__ import annotations

from dataclasses import replace

from penstock.model.changelog import ChangelogMode
from penstock.plan import keys
from penstock.plan.nodes import Join, Node, Normalize, Project, Scan
from penstock.plan.walk import inputs, rebuilt
from penstock.plan.wanted import wanted_below


def normalized(node: Node, *, takes_upserts: bool, wanted: str) -> Node:
    """The plan with the old rows found wherever a step needs more than the new row of a key.

    `takes_upserts`: whoever takes the rows of this node knows by their key which one they replace.
    Columns that are not `wanted` are not kept: a change of them is none.
    """
    if isinstance(node, Scan):
        if node.spec.mode is not ChangelogMode.UPSERT or takes_upserts:
            return node
        key = keys.key_of(node)
        used = (field for field in node.fields if field.sql in key or field.sql in wanted)
        return Normalize(node, key, node.fields, tuple(used))
    below = wanted_below(node, wanted)
    children = (
        normalized(child, takes_upserts=_takes(node, side, takes_upserts), wanted=below)
        for side, child in enumerate(inputs(node))
    )
    return rebuilt(node, tuple(children))


def by_key(node: Node) -> Node:
    """Changes that go to a table by their key as they come: what an update replaces is known."""
    if isinstance(node, Project):
        return replace(node, input=by_key(node.input))
    if isinstance(node, Scan) and node.spec.mode is ChangelogMode.RETRACT and keys.key_of(node):
        return replace(node, by_key=True)
    return node


def _takes(node: Node, side: int, above: bool) -> bool:
    """Whether a step takes upserts: by itself, or since it hands them on to one that does."""
    return keys.takes_upserts(node, side) and (above or isinstance(node, Join))
