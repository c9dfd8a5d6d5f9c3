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


def normalized(node: Node, *, takes_upserts: bool) -> Node:
    """The plan with the old rows found wherever a step needs more than the new row of a key.

    `takes_upserts`: whoever takes the rows of this node knows by their key which one they replace.
    """
    if isinstance(node, Scan):
        if node.spec.mode is not ChangelogMode.UPSERT or takes_upserts:
            return node
        return Normalize(node, infer(node).key, node.fields)
    passes = takes_upserts and isinstance(node, Project) and bool(infer(node).key)
    return rebuilt(node, [normalized(child, takes_upserts=passes) for child in inputs(node)])


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
