"""A query → a plan: names bound, types checked, what no stage can run refused.

`build` is called for each query of a script; views and WITH queries are planned where they are
used, so that every table reference becomes a stream of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PenstockError, PlanError
from penstock.plan.conditions import filtered
from penstock.plan.database import with_database
from penstock.plan.expressions import ExpressionCompiler
from penstock.plan.joins import join, joined
from penstock.plan.relations import Relation, relation, renamed, unsupported
from penstock.plan.scan import scan
from penstock.plan.select import select, source
from penstock.plan.sets import set_operation
from penstock.plan.sort import sorted_rows
from penstock.plan.values import values
from penstock.sql.ddl import table_name
from penstock.sql.hints import hint_options
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from penstock.catalog.catalog import Catalog
    from penstock.connectors.base import Connector
    from penstock.model.span import Span
    from penstock.plan.language import Language
    from penstock.plan.nodes import JoinKind, Node
    from penstock.plan.scope import Scope


@dataclass(frozen=True, slots=True)
class With:
    """A query of a WITH clause, and the WITH queries it can see itself."""

    query: exp.Expr
    columns: Sequence[str]
    withs: Mapping[str, With]


Withs = Mapping[str, With]


def build(query: exp.Query, catalog: Catalog, language: Language) -> Node:
    """The plan of a query."""
    return Builder(catalog, language).query(query, {})


class Builder:
    """What the planning of one query shares: the catalog, the dialect, the names given so far."""

    def __init__(self, catalog: Catalog, language: Language) -> None:
        self.catalog = catalog
        self.language = language
        self._expanding: tuple[str, ...] = ()
        self._tags = 0

    def tag(self) -> int:
        """A number no other step of this query has."""
        self._tags += 1
        return self._tags

    def expressions(self, scope: Scope) -> ExpressionCompiler:
        """A compiler of expressions over these inputs."""
        return ExpressionCompiler(scope, self.language)

    def query(self, query: exp.Expr, withs: Withs) -> Node:
        """The plan of a query or of a part of it."""
        with_database(query, self.catalog.namespace.database)
        withs = self.withs_of(query, withs)
        if isinstance(query, exp.Subquery):
            return sorted_rows(self, query, self.query(query.this, withs))
        if isinstance(query, exp.SetOperation):
            return sorted_rows(self, query, set_operation(self, query, withs))
        if isinstance(query, exp.Select):
            return select(self, query, withs)
        if isinstance(query, exp.Values):
            return values(self, query)
        raise unsupported(query, f"`{type(query).__name__.upper()}`", "Write it as SELECT.")

    def withs_of(self, query: exp.Expr, withs: Withs) -> Withs:
        """The WITH queries that a query can name."""
        if isinstance(query, exp.Query):
            for cte in query.ctes:
                # A name means what it meant where the WITH stands, also when it is used deeper.
                withs = {**withs, cte.alias: With(cte.this, cte.alias_column_names, withs)}
        return withs

    def relation(self, source: exp.Expr, withs: Withs, *, versioned: bool = False) -> Relation:
        """One item of FROM; `versioned` if a join asks for a version of it."""
        if source.args.get("version") and not versioned:
            instead = "It stands behind the right side of a join."
            raise unsupported(source, "FOR SYSTEM_TIME AS OF here", instead)
        return relation(self, source, withs)

    def joined(
        self, start: exp.Expr, joins: list[exp.Join], withs: Withs, *, pool: list[exp.Expr]
    ) -> tuple[Relation, list[exp.Expr]]:
        """FROM with its joins."""
        return joined(self, start, joins, withs, pool=pool)

    def join(
        self,
        left: Relation,
        right: Relation,
        *,
        kind: JoinKind,
        terms: list[exp.Expr],
        using: tuple[str, ...] = (),
    ) -> Relation:
        """Two relations as one."""
        return join(self, left, right, kind=kind, terms=terms, using=using)

    def source(
        self, query: exp.Select, withs: Withs, correlated: list[exp.Expr] | None = None
    ) -> Relation:
        """FROM, its joins and WHERE."""
        return source(self, query, withs, correlated)

    def filtered(self, relation: Relation, terms: list[exp.Expr]) -> Relation:
        """The rows that meet every term."""
        return filtered(self, relation, terms)

    def _scan(self, connector: Connector, span: Span | None) -> Node:
        """A table; a mistake that stands nowhere has its name in FROM as its place."""
        try:
            return scan(connector, self.language)
        except PenstockError as error:
            error.span = error.span or span
            raise

    def table(self, source: exp.Table, withs: Withs) -> Node:
        """A table, a view or a query of WITH by its name."""
        name, span = table_name(source), node_span(source)
        hints = hint_options(source)
        if name in withs:
            if hints:
                raise unsupported(source, "The hint OPTIONS on a query of WITH", "")
            found = withs[name]
            return renamed(self.query(found.query, found.withs), found.columns, name)
        view = self.catalog.view(name, hints=hints, span=span)
        if view is None:
            return self._scan(self.catalog.table(name, span, hints), span)
        if name in self._expanding:
            raise PlanError(
                "INVALID_QUERY", span=span, problem=f"View `{name}` uses itself.", instead=""
            )
        self._expanding = (*self._expanding, name)
        node = self.query(view.query, {})
        self._expanding = self._expanding[:-1]
        return renamed(node, view.columns, name)
