"""The terms of a join by which its sides equal each other → `Equality`.

By them rows are brought together, and keys are carried through a join; `plan.keys` goes by them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.model.types import BOOLEAN
from penstock.plan.join_terms import Equality
from penstock.plan.predicates import MAPS

if TYPE_CHECKING:
    from penstock.plan.expressions import ExpressionCompiler
    from penstock.plan.relations import Relation
    from penstock.plan.scope import Field, Scope

_EQUAL = (exp.EQ, exp.NullSafeEQ)
# What equals itself in every comparison: zeros with a sign do, as keys they would be two.
_INEXACT = ("FLOAT", "DOUBLE")


class Sides:
    """Both inputs of a join, and what they are called in it."""

    def __init__(self, given: tuple[Relation, Relation], called: tuple[Relation, Relation]) -> None:
        self.left, self.right = (relation.scope for relation in called)
        self._columns = [
            dict(zip((field.sql for field in there.scope.fields), own.scope.fields, strict=True))
            for own, there in zip(given, called, strict=True)
        ]

    def equality(
        self, condition: Expr, pair: tuple[str, str], *, text: str, null_safe: bool = False
    ) -> Equality:
        """A condition that a pair in Spark SQL is equal, of the left side and of the right."""
        either = (" = ".join(pair), " = ".join(pair[::-1]))
        plain = any(condition.sql in (sql, f"({sql})") for sql in either)
        left, right = (
            columns.get(sql) if plain else None
            for columns, sql in zip(self._columns, pair, strict=True)
        )
        return Equality(condition.sql, left, right, text, null_safe=null_safe)

    def of_terms(
        self, terms: list[exp.Expr], conditions: list[Expr], compiler: ExpressionCompiler
    ) -> list[Equality]:
        """Those terms, each with its condition, that are equalities of both sides."""
        found = (
            self._of_term(term, condition, compiler)
            for term, condition in zip(terms, conditions, strict=True)
            if isinstance(term, _EQUAL)
        )
        return list(filter(None, found))

    def _of_term(
        self, part: exp.Binary, condition: Expr, compiler: ExpressionCompiler
    ) -> Equality | None:
        terms = (part.this, part.expression)
        owners = [_owners(term, self.left, self.right) for term in terms]
        if owners not in ([{"l"}, {"r"}], [{"r"}, {"l"}]):
            return None
        left, right = terms if owners[0] == {"l"} else terms[::-1]
        compiled = (compiler.compile(left), compiler.compile(right))
        if any(side.type.root in MAPS for side in compiled):
            # They are compared entry by entry: rows cannot be brought together by them.
            return None
        pair = (compiled[0].sql, compiled[1].sql)
        text = "=".join(term.name or term.sql() for term in (left, right))
        null_safe = isinstance(part, exp.NullSafeEQ)
        return self.equality(condition, pair, text=text, null_safe=null_safe)

    def of_shared(self, name: str, compiler: ExpressionCompiler) -> Equality:
        """A column that both sides have, by USING."""
        left, right = self.left.find(name), self.right.find(name)
        sides = (Expr(left.sql, left.type), Expr(right.sql, right.type))
        shared, convert = compiler.language.shared_type, compiler.language.convert
        type_ = shared(left.type, right.type) if shared else None
        if type_ and convert:
            pair = (convert(sides[0], type_).sql, convert(sides[1], type_).sql)
        else:
            pair = compiler.comparable(*sides, exp.column(name))
        return self.equality(Expr(" = ".join(pair), BOOLEAN), pair, text=f"{name}={name}")


def _owners(node: exp.Expr, left: Scope, right: Scope) -> set[str]:
    """The sides that an expression speaks of."""
    found = set()
    for column in node.find_all(exp.Column):
        alias = column.parts[0].name if len(column.parts) > 1 else ""
        for name, scope in (("l", left), ("r", right)):
            if scope.has_alias(alias) if alias else scope.lookup(column.name):
                found.add(name)
    return found


def key_columns(equality: Equality) -> tuple[Field, Field] | None:
    """The two columns of one type that are equal, if each finds the other by its value alone."""
    left, right = equality.left, equality.right
    if left is None or right is None:
        return None
    same = left.type.as_nullable() == right.type.as_nullable()
    return (left, right) if same and left.type.root not in _INEXACT else None
