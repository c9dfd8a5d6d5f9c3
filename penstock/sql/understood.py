"""What of each parsed clause is understood: anything else in it is refused, never passed over.

sqlglot reads the clauses of many dialects. This table names, for each kind of node, the parts that
later stages look at; a part that stands in the text and not here is an error with its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.errors import ErrorLevel

from penstock.errors import SqlError
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.model.span import Span

# Flags that sqlglot sets on its own account and that change nothing.
_NEUTRAL = {"kind", "nested", "safe", "typed", "value_constructor", "quoted", "include"}

_PARTS: dict[type[exp.Expr], set[str]] = {
    exp.Select: {
        *("expressions", "from_", "where", "group", "having", "with_"),
        # Refused by the planner, which says what to do instead.
        *("distinct", "joins", "laterals", "order", "limit", "offset", "windows", "qualify"),
        *("match",),
    },
    **{
        operation: {"this", "expression", "distinct", "with_", "order", "limit", "offset"}
        for operation in (exp.Union, exp.Intersect, exp.Except)
    },
    exp.Subquery: {"this", "alias", "with_", "order", "limit", "offset"},
    exp.Table: {"this", "alias", "db", "catalog", "joins", "laterals", "version"},
    exp.TableAlias: {"this", "columns"},
    exp.CTE: {"this", "alias"},
    exp.With: {"expressions"},
    exp.Insert: {"this", "expression", "overwrite", "partition"},
    exp.Join: {"this", "side", "on", "using", "method"},
    exp.Unnest: {"expressions", "alias", "offset"},
    exp.Lateral: {"this", "alias", "view", "outer", "ordinality"},
    exp.Window: {"this", "partition_by", "order", "spec", "over", "alias"},
    exp.WindowSpec: {"start", "start_side", "end", "end_side"},
    exp.Group: {"expressions"},
    exp.Limit: {"expression"},
    exp.Fetch: {"direction", "count", "limit_options"},
    exp.LimitOptions: {"rows"},
    exp.Ordered: {"this", "desc", "nulls_first"},
    exp.Star: set(),
    exp.Drop: {"this", "kind", "exists", "temporary"},
    exp.Cast: {"this", "to", "_type"},
    exp.TryCast: {"this", "to", "_type"},
    exp.Floor: {"this", "to"},
    exp.Ceil: {"this", "to"},
    exp.StrPosition: {"this", "substr"},
    exp.Extract: {"this", "expression"},
    exp.Create: {"this", "kind", "expression", "exists", "properties"},
    exp.Constraint: {"this", "expressions"},
    exp.Schema: {"this", "expressions"},
}


def check_understood(statement: exp.Expr) -> None:
    """Refuse a statement that has a part nobody will look at."""
    for node in statement.walk(bfs=False):
        parts = _PARTS.get(type(node))
        if parts is None:
            continue
        for name, value in node.args.items():
            if value and name not in parts and name not in _NEUTRAL:
                _refuse(node, name, value)
        if isinstance(node, exp.Select) and node.args.get("kind"):
            _refuse(node, f"SELECT AS {node.args['kind']}", True)
        if isinstance(node, exp.Group) and node.args.get("all") is False:
            _refuse(node, "GROUP BY DISTINCT", True)
        if isinstance(node, exp.Constraint):
            for part in node.expressions:
                if not isinstance(part, exp.PrimaryKey):
                    _refuse(node, "constraint", part)
    if isinstance(statement, exp.Create) and statement.kind == "VIEW":
        properties = statement.args.get("properties")
        for part in properties.expressions if properties else []:
            if not isinstance(part, exp.TemporaryProperty):
                _refuse(statement, "property", part)


def _place(node: exp.Expr | None) -> Span | None:
    """The place of a part, or of the first thing around it that has one."""
    while node is not None:
        found = node_span(node)
        if found:
            return found
        node = node.parent
    return None


def _refuse(node: exp.Expr, name: str, value: object) -> None:
    part = value[0] if isinstance(value, list) else value
    words = name.replace("_", " ")
    if isinstance(part, exp.Expr):
        words = part.sql(dialect="flink", unsupported_level=ErrorLevel.IGNORE) or words
    raise SqlError(
        "UNSUPPORTED_CLAUSE",
        span=_place(part if isinstance(part, exp.Expr) else node),
        clause=f"`{words}`",
        instead="Leave it out, or write the query another way.",
    )
