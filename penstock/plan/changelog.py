"""Where a plan must find out which rows are replaced: messages tell the new row of a key only."""

from __future__ import annotations

from penstock.model.changelog import ChangelogMode
from penstock.plan.infer import infer, is_versioned
from penstock.plan.nodes import Node, Normalize, Project, Scan
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
        key = infer(node).key
        used = (field for field in node.fields if field.sql in key or field.sql in wanted)
        return Normalize(node, key, tuple(used))
    passes = takes_upserts and isinstance(node, Project) and bool(infer(node).key)
    below = wanted_below(node, wanted)
    children = (
        normalized(child, takes_upserts=passes or is_versioned(node, child), wanted=below)
        for child in inputs(node)
    )
    return rebuilt(node, tuple(children))
