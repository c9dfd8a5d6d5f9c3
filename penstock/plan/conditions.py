"""WHERE, term by term: plain conditions become a filter, those on a row number a rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.model.types import BOOLEAN
from penstock.plan.nodes import Filter
from penstock.plan.rank import ranked
from penstock.plan.relations import Relation

if TYPE_CHECKING:
    from penstock.plan.build import Builder


def filtered(builder: Builder, relation: Relation, terms: list[exp.Expr]) -> Relation:
    """The rows that meet every term; a bound on a row number is understood as top-N."""
    node, rest = ranked(relation.node, relation.scope, terms)
    if not rest:
        return Relation(node, relation.scope, relation.given)
    compiler = relation.compiler(builder)
    conditions = [compiler.condition(term).sql for term in rest]
    condition = Expr(" AND ".join(conditions), BOOLEAN)
    text = " AND ".join(_shown(term, builder.language.name) for term in rest)
    return Relation(Filter(node, condition, text, node.fields), relation.scope, relation.given)


def _shown(term: exp.Expr, dialect: str) -> str:
    text = term.sql(dialect=dialect, comments=False)
    return f"({text})" if isinstance(term, exp.Or) else text
