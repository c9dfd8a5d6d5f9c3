"""FOR SYSTEM_TIME AS OF: of when a version of the right side is asked, and whether it has any.

By a processing time the right side is looked up as it is. By an event time it must be a versioned
table: one with a primary key and an event time, whose rows change, or a deduplication by time of
one whose rows only come.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from sqlglot import exp

from penstock.errors import PlanError
from penstock.plan.infer import infer, is_bounded
from penstock.plan.join_time import JoinTime
from penstock.plan.nodes import ORDER_COLUMN, Filter, Node, Project, Rank, Scan
from penstock.plan.rank import is_window_rank
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.model.span import Span
    from penstock.plan.join_terms import Equality
    from penstock.plan.nodes import JoinKind
    from penstock.plan.relations import Relation
    from penstock.plan.scope import Field, Scope

_KINDS = ("INNER", "LEFT")


def versioned(version: exp.Expr, left: Relation, right: Relation, kind: JoinKind) -> Relation:
    """The right side of a join that asks for its versions: as it is, or every row as a version."""
    if kind not in _KINDS:
        raise PlanError(
            "INVALID_QUERY",
            span=node_span(version),
            problem="Temporal table join currently only support INNER JOIN and LEFT JOIN, but was "
            f"{kind} JOIN.",
            instead="",
        )
    if _asked_time(version, left.scope, right.scope) is None:
        return right
    span = node_span(version)
    if is_bounded(left.node) != is_bounded(right.node):
        # The time of the side that ends would stand still, and hold back the other's.
        raise PlanError(
            "UNSUPPORTED_QUERY",
            span=span,
            feature="FOR SYSTEM_TIME AS OF an event time with one side bounded and the other not",
            instead="Read both tables as streams, or both up to a bound.",
        )
    return replace(right, node=_versions(right.node, span))


def version_time(
    version: exp.Expr, left: Scope, right: Scope, table: Node, equal: tuple[Equality, ...]
) -> JoinTime:
    """Of when the versions of a table are, by whose key the join must look for them."""
    asked = _asked_time(version, left, right)
    if asked is None:
        return JoinTime("lookup")
    span = node_span(version)
    time = next((field for field in right.fields if field.rowtime), None)
    if time is None:
        raise _invalid(
            span,
            "Event-Time Temporal Table Join requires both primary key and row time attribute in "
            "versioned table, but no row time attribute can be found.",
            "Declare a WATERMARK for the table's time, and select that column.",
        )
    if asked.type.as_nullable() != time.type.as_nullable():
        raise _invalid(
            span,
            "Event-Time Temporal Table Join requires same rowtime type in left table and versioned "
            f"table, but the rowtime types are {asked.type.as_nullable()} and "
            f"{time.type.as_nullable()}.",
            "",
        )
    _check_key(span, table, equal)
    return JoinTime("temporal", (asked, time))


def is_current(left: Node, time: JoinTime) -> bool:
    """Whether each row finds the right side as it is by then.

    Rows that change find it as it first was: what is taken back must be what was given.
    """
    return time.form == "lookup" and not is_bounded(left) and not infer(left).changes


def _asked_time(version: exp.Expr, left: Scope, right: Scope) -> Field | None:
    """The event time of the left side that is named; None for a processing time of either."""
    time = version.args.get("expression")
    field = None
    if isinstance(time, exp.Column):
        own = right.lookup(time.name, time.table)
        if own and own[0][1].proctime and not left.lookup(time.name, time.table):
            return None
        field = left.find(time.name, alias=time.table, span=node_span(time))
    if field is None or not (field.rowtime or field.proctime):
        raise _invalid(
            node_span(version),
            "Temporal table join currently only supports 'FOR SYSTEM_TIME AS OF' left table's time "
            "attribute field.",
            "Name a column with a watermark, or one that is PROCTIME().",
        )
    return None if field.proctime else field


def _versions(node: Node, span: Span | None) -> Node:
    """The versioned table itself, a deduplication taken for what it is: all rows are versions."""
    if isinstance(node, Project):
        return replace(node, input=_versions(node.input, span))
    if isinstance(node, Filter):
        raise _invalid(
            span,
            "Filter is not allowed for right changelog input of event time temporal join, it will "
            "corrupt the versioning of data.",
            "Filter behind the join, or in its ON.",
        )
    if isinstance(node, Rank) and not is_window_rank(node):
        by_time = node.keep and node.order[0].expr.sql != ORDER_COLUMN
        if by_time and not infer(node.input).changes:
            return replace(node, versions=True)
        raise _no_versions(span)
    if infer(node).changes and not isinstance(node, Scan):
        raise _no_versions(span)
    return node


def keeps(table: Node) -> Literal["", "first", "last"]:
    """Which rows of a versioned side are versions: "" for all, else as its deduplication says."""
    if isinstance(table, Project):
        return keeps(table.input)
    return table.keep if isinstance(table, Rank) and table.versions else ""


def _no_versions(span: Span | None) -> PlanError:
    return PlanError(
        "UNSUPPORTED_QUERY",
        span=span,
        feature="FOR SYSTEM_TIME AS OF an event time over this query",
        instead="Join with a table whose rows change, or with rows that only come, deduplicated "
        "by their time.",
    )


def _check_key(span: Span | None, table: Node, equal: tuple[Equality, ...]) -> None:
    key = infer(table).key
    if not key:
        raise _invalid(
            span,
            "Temporal Table Join requires primary key in versioned table, but no primary key can "
            "be found.",
            "Declare a PRIMARY KEY, or deduplicate the rows by ROW_NUMBER() in the order of time.",
        )
    found = [(equality.text, equality.right.sql) for equality in equal if equality.right]
    if not set(key) <= {column for _, column in found}:
        names = {field.sql: field.name for field in table.fields}
        raise _invalid(
            span,
            f"Temporal table's primary key [{','.join(names.get(k, k) for k in key)}] must be "
            "included in the equivalence condition of temporal join, but current temporal join "
            f"condition is [{','.join(text for text, _ in found)}].",
            "",
        )


def _invalid(span: Span | None, problem: str, instead: str) -> PlanError:
    return PlanError("INVALID_QUERY", span=span, problem=problem, instead=instead)
