"""A scalar expression of a query → Spark SQL with its type; what is not known is refused.

One method per kind of node, found in the table `_HANDLERS`; functions come from `sql.functions`.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, ClassVar, NoReturn

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import BOOLEAN, NULL, quote
from penstock.plan.forms import CALLS, FORMS, LOCAL_WORDS, PROCTIME, smallest
from penstock.plan.language import Language
from penstock.plan.predicates import MAPS, equal_maps, equal_rows, escaped, is_json, is_row, like
from penstock.plan.scope import Field
from penstock.plan.terms import COMPARISON
from penstock.sql.arithmetic import advice, arithmetic, common_type, compared, joined_type
from penstock.sql.casts import cast
from penstock.sql.functions import AGGREGATE, REFUSED, SCALAR
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.scope import Scope
    from penstock.sql.functions.base import Signature

_ARITHMETIC = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%"}
_APPROXIMATE = {"FLOAT", "DOUBLE"}
# Spark rounds a longer decimal when it changes the sign.
_EXACT_DIGITS = 34
_EQUALITY = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ)


class ExpressionCompiler:
    """Compiles expressions of one language over one scope."""

    def __init__(self, scope: Scope, language: Language) -> None:
        self.scope = scope
        self.language = language
        # What stands for a node that was planned by itself: a subquery, a function with OVER.
        self.given: dict[int, Expr] = {}

    def compile(self, node: exp.Expr) -> Expr:
        """The expression, or an error that points at the part that is not understood."""
        if id(node) in self.given:
            return self.given[id(node)]
        for kind in type(node).__mro__:
            handler = self.language.handlers.get(kind)
            if handler:
                return handler(self, node)
        return self.refuse(node)

    def field_of(self, expr: Expr) -> Field | None:
        """The column that an expression is, with its marks; None if it computes something."""
        if expr.sql == PROCTIME.sql:
            return Field("", expr.type, expr.sql, proctime=True)
        return next((field for field in self.scope.fields if field.sql == expr.sql), None)

    def condition(self, node: exp.Expr) -> Expr:
        """An expression that must be BOOLEAN."""
        compiled = self.compile(node)
        if self.language.truth:
            compiled = self.language.truth(compiled)
        if compiled.type.root not in ("BOOLEAN", "NULL"):
            self.refuse(node, f"A condition must be BOOLEAN, this is {compiled.type}.")
        return compiled

    def refuse(self, node: exp.Expr, instead: str = "") -> NoReturn:
        """Raise the error for a part that is not supported."""
        raise PlanError(
            "UNSUPPORTED_EXPRESSION",
            span=node_span(node),
            expression=node.sql(dialect=self.language.name),
            instead=instead,
        )

    # names and constants

    def _column(self, node: exp.Column) -> Expr:
        parts = [part.name for part in node.parts]
        span = node_span(node)
        if len(parts) == 1 and parts[0].upper() in LOCAL_WORDS:
            return LOCAL_WORDS[parts[0].upper()]
        if len(parts) > 1 and self.scope.has_alias(parts[0]):
            field = self.scope.find(parts[1], alias=parts[0], span=span)
            rest = parts[2:]
        else:
            field = self.scope.find(parts[0], span=span)
            rest = parts[1:]
        return self._fields(Expr(field.sql, field.type), rest, node)

    def _fields(self, row: Expr, names: list[str], node: exp.Expr) -> Expr:
        for name in names:
            if row.type.root != "ROW" or name not in dict(row.type.children):
                fields = ", ".join(child for child, _ in row.type.children)
                self.refuse(node, f"It is {row.type}." if not fields else f"Fields: {fields}.")
            row = Expr(f"{row.sql}.{quote(name)}", dict(row.type.children)[name])
        return row

    def _dot(self, node: exp.Dot) -> Expr:
        return self._fields(self.compile(node.this), [node.expression.name], node)

    def _boolean(self, node: exp.Boolean) -> Expr:
        return Expr("TRUE" if node.this else "FALSE", BOOLEAN.as_nullable(nullable=False))

    def _null(self, node: exp.Null) -> Expr:
        return Expr("NULL", NULL)

    # operators

    def _binary_arithmetic(self, node: exp.Binary) -> Expr:
        operator = _ARITHMETIC[type(node)]
        left, right = self.compile(node.this), self.compile(node.expression)
        result = arithmetic(operator, left, right)
        if result is None:
            self.refuse(node, advice(left.type, right.type))
        return result

    def _negative(self, node: exp.Neg) -> Expr:
        if found := smallest(node.this):
            return found
        operand = self.compile(node.this)
        if not (operand.type.is_numeric or operand.type.is_interval):
            self.refuse(node, f"The operand is {operand.type}.")
        if operand.type.root == "DECIMAL" and (operand.type.precision or 0) > _EXACT_DIGITS:
            return Expr(f"penstock_negative({operand.sql})", operand.type)
        return Expr(f"(- {operand.sql})", operand.type)

    def _comparison(self, node: exp.Binary) -> Expr:
        if isinstance(node, exp.EQ) and is_row(node.this) and is_row(node.expression):
            return Expr(equal_rows(self, node.this, node.expression, node), BOOLEAN)
        sides = self.compile(node.this), self.compile(node.expression)
        alike = sides[0].type.root == sides[1].type.root in MAPS
        if alike and isinstance(node, exp.EQ | exp.NEQ):
            equal = equal_maps(self, *sides, node)
            return Expr(f"({'NOT ' if isinstance(node, exp.NEQ) else ''}{equal})", BOOLEAN)
        return Expr(self._compared(COMPARISON[type(node)], *sides, node), BOOLEAN)

    def _compared(self, operator: str, left: Expr, right: Expr, node: exp.Expr) -> str:
        if operator != "<=>" and (found := compared(operator, left, right)):
            return found
        one, other = self.comparable(left, right, node)
        return f"({one} {operator} {other})"

    def _distinct(self, node: exp.NullSafeNEQ) -> Expr:
        left, right = self.comparable(self.compile(node.this), self.compile(node.expression), node)
        return Expr(f"(NOT ({left} <=> {right}))", BOOLEAN)

    def comparable(self, left: Expr, right: Expr, node: exp.Expr) -> tuple[str, str]:
        """Both as Spark SQL that compares them as Flink would; refused if they cannot be."""
        equal = isinstance(node, _EQUALITY)
        for text, other in ((left, right), (right, left)):
            if text.type.is_text and (other.type.is_time or other.type.root in ("DATE", "TIME")):
                # A text that is no time equals none; an order of it fails.
                converted = cast(text.sql, text.type, other.type, safe=equal)
                return (converted, right.sql) if text is left else (left.sql, converted)
        if isinstance(node, exp.EQ | exp.NEQ) and {left.type.root, right.type.root} == _APPROXIMATE:
            return left.sql, cast(right.sql, right.type, left.type)
        is_map = any(part.root in MAPS for part in (*left.type.parts, *right.type.parts))
        if is_map or common_type(left.type, right.type) is None:
            self.refuse(node, f"{left.type} and {right.type} cannot be compared; CAST one of them.")
        return left.sql, right.sql

    def _connector(self, node: exp.Connector) -> Expr:
        word = "AND" if isinstance(node, exp.And) else "OR"
        left, right = self.condition(node.this), self.condition(node.expression)
        return Expr(f"({left.sql} {word} {right.sql})", BOOLEAN)

    def _not(self, node: exp.Not) -> Expr:
        return Expr(f"(NOT {self.condition(node.this).sql})", BOOLEAN)

    def _paren(self, node: exp.Paren) -> Expr:
        inner = self.compile(node.this)
        return Expr(f"({inner.sql})", inner.type)

    def _is(self, node: exp.Is) -> Expr:
        if isinstance(node.expression, exp.JSON):
            return is_json(self, node)
        operand = self.compile(node.this)
        if isinstance(node.expression, exp.Null | exp.Boolean):
            word = {True: "TRUE", False: "FALSE"}.get(node.expression.this, "NULL")
            return Expr(f"({operand.sql} IS {word})", BOOLEAN)
        return self.refuse(node)

    def _between(self, node: exp.Between) -> Expr:
        operand = self.compile(node.this)
        ends = [self.compile(node.args[name]) for name in ("low", "high")]
        found = self._within(operand, ends, node)
        if node.args.get("symmetric"):
            found = f"({found} OR {self._within(operand, ends[::-1], node)})"
        return Expr(found, BOOLEAN)

    def _within(self, operand: Expr, ends: list[Expr], node: exp.Expr) -> str:
        above = self._compared(">=", operand, ends[0], node)
        below = self._compared("<=", operand, ends[1], node)
        return f"({above} AND {below})"

    def _in(self, node: exp.In) -> Expr:
        if node.args.get("query") or not node.expressions:
            raise PlanError(
                "UNSUPPORTED_QUERY",
                span=node_span(node),
                feature="IN with a subquery",
                instead="List the values.",
            )
        if is_row(node.this):
            found = [equal_rows(self, node.this, value, node) for value in node.expressions]
            return Expr(f"({' OR '.join(found)})", BOOLEAN)
        operand = self.compile(node.this)
        values = [self.compile(value) for value in node.expressions]
        choices = [self.choice(operand, value, node) for value in values]
        return Expr(f"({operand.sql} IN ({', '.join(choices)}))", BOOLEAN)

    def choice(self, operand: Expr, value: Expr, node: exp.Expr) -> str:
        """A value of IN: a number takes the type of the operand, as in Flink."""
        found = self.comparable(operand, value, node)[1]
        numbers = operand.type.is_numeric and value.type.is_numeric
        if numbers and operand.type.root != value.type.root:
            return cast(value.sql, value.type, operand.type)
        return found

    def _pipe(self, node: exp.DPipe) -> Expr:
        left, right = self.compile(node.this), self.compile(node.expression)
        if not (left.type.is_text and right.type.is_text):
            self.refuse(node, f"|| joins texts, not {left.type} and {right.type}; CAST to STRING.")
        return Expr(f"({left.sql} || {right.sql})", joined_type(left.type, right.type))

    # calls

    def _call(self, node: exp.Anonymous) -> Expr:
        form = self.language.calls.get(node.name.upper())
        return form(self, node) if form else self.call(node.name, node.expressions, node)

    def call(self, name: str, arguments: list[exp.Expr], node: exp.Expr) -> Expr:
        """A call of a function in the table, by the name a script uses."""
        signatures = self.language.scalar.get(name.upper())
        if name.upper() in self.language.aggregate:
            self.refuse(node, "An aggregate stands in SELECT or HAVING, over a GROUP BY.")
        if signatures is None:
            known = [*self.language.scalar, *self.language.calls]
            reason = self.language.refused.get(name.upper(), "")
            near = [] if reason else difflib.get_close_matches(name.upper(), known, n=1)
            raise PlanError(
                "UNSUPPORTED_FUNCTION",
                span=node_span(node),
                function=name.upper(),
                did_you_mean=f" Did you mean {near[0]}?" if near else "",
                instead=reason,
            )
        compiled = [self.compile(argument) for argument in arguments]
        for signature in signatures:
            if signature.matches(compiled) and (result := self._apply(signature, compiled, node)):
                return result
        raise PlanError(
            "WRONG_ARGUMENTS",
            span=node_span(node),
            function=name.upper(),
            found=", ".join(str(argument.type) for argument in compiled),
            expected=" or ".join(signature.describe() for signature in signatures),
        )

    def _apply(self, signature: Signature, arguments: list[Expr], node: exp.Expr) -> Expr | None:
        try:
            return signature.call(arguments)
        except PlanError as error:
            error.span = error.span or node_span(node)
            raise

    HANDLERS: ClassVar[dict[type, Callable[..., Expr]]] = {
        **FORMS,
        exp.Column: _column,
        exp.Dot: _dot,
        exp.Boolean: _boolean,
        exp.Null: _null,
        **dict.fromkeys(_ARITHMETIC, _binary_arithmetic),
        **dict.fromkeys(COMPARISON, _comparison),
        exp.NullSafeNEQ: _distinct,
        exp.Neg: _negative,
        exp.And: _connector,
        exp.Or: _connector,
        exp.Not: _not,
        exp.Paren: _paren,
        exp.Is: _is,
        exp.Between: _between,
        exp.In: _in,
        exp.Like: like,
        exp.Escape: escaped,
        exp.DPipe: _pipe,
        exp.Anonymous: _call,
    }


FLINK = Language("flink", SCALAR, AGGREGATE, ExpressionCompiler.HANDLERS, CALLS, refused=REFUSED)
