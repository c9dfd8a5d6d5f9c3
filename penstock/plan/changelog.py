"""Where a plan must find out which rows are replaced: messages tell the new row of a key only."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from penstock.model.changelog import ChangelogMode
from penstock.plan.infer import infer
from penstock.plan.nodes import (
    Join,
    Node,
    Normalize,
    Project,
    Scan,
    SetOperation,
    Union,
    Values,
    inputs,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


def normalized(node: Node, *, takes_upserts: bool, named: str) -> Node:
    """The plan with the old rows found wherever a step needs more than the new row of a key.

    `takes_upserts`: whoever takes the rows of this node knows by their key which one they replace.
    Columns that are not `named` in the query are not kept: a change of them is none.
    """
    if isinstance(node, Scan):
        if node.spec.mode is not ChangelogMode.UPSERT or takes_upserts:
            return node
        key = infer(node).key
        used = (field for field in node.fields if field.sql in key or field.sql in named)
        return Normalize(node, key, tuple(used))
    passes = takes_upserts and isinstance(node, Project) and bool(infer(node).key)
    children = (normalized(c, takes_upserts=passes, named=named) for c in inputs(node))
    return rebuilt(node, tuple(children))


def rebuilt(node: Node, children: Sequence[Node]) -> Node:
    """The same step over other inputs."""
    match node:
        case Scan() | Values() | Normalize():
            return node
        case Union():
            return replace(node, inputs=tuple(children))
        case Join() | SetOperation():
            return replace(node, left=children[0], right=children[1])
        case _:
            return replace(node, input=children[0])
