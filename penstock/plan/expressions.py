"""A scalar expression of a query → Spark SQL with its type; what is not known is refused.

One method per kind of node, found in the table `_HANDLERS`; functions come from `sql.functions`.
"""

from __future__ import annotations

import difflib
from functools import reduce
from typing import TYPE_CHECKING, ClassVar, NoReturn

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    INT,
    NULL,
    STRING,
    TIMESTAMP_LTZ_3,
    DataType,
    literal,
    quote,
)
from penstock.sql.arithmetic import arithmetic, common_type
from penstock.sql.casts import cast
from penstock.sql.functions import SCALAR
from penstock.sql.intervals import interval_sql
from penstock.sql.spans import node_span
from penstock.sql.types import data_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.scope import Scope

_ARITHMETIC = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%"}
_COMPARISON = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.NullSafeEQ: "<=>",
}
_EXTRACTABLE = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND")
_MAX_INT = 2**31 - 1


class ExpressionCompiler:
    """Compiles expressions over one scope."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def compile(self, node: exp.Expr) -> Expr:
        """The expression, or an error that points at the part that is not understood."""
        for kind in type(node).__mro__:
            handler = self._HANDLERS.get(kind)
            if handler:
                return handler(self, node)
        return self._refuse(node)

    def condition(self, node: exp.Expr) -> Expr:
        """An expression that must be BOOLEAN."""
        compiled = self.compile(node)
        if compiled.type.root not in ("BOOLEAN", "NULL"):
            self._refuse(node, f"A condition must be BOOLEAN, this is {compiled.type}.")
        return compiled

    def _refuse(self, node: exp.Expr, instead: str = "") -> NoReturn:
        raise PlanError(
            "UNSUPPORTED_EXPRESSION",
            span=node_span(node),
            expression=node.sql(dialect="flink"),
            instead=instead,
        )

    # names and constants

    def _column(self, node: exp.Column) -> Expr:
        parts = [part.name for part in node.parts]
        span = node_span(node)
        if len(parts) == 1 and parts[0].upper() == "LOCALTIMESTAMP":
            return Expr("localtimestamp()", DataType("TIMESTAMP", 3, nullable=False))
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
                self._refuse(node, f"It is {row.type}." if not fields else f"Fields: {fields}.")
            row = Expr(f"{row.sql}.{quote(name)}", dict(row.type.children)[name])
        return row

    def _dot(self, node: exp.Dot) -> Expr:
        return self._fields(self.compile(node.this), [node.expression.name], node)

    def _literal(self, node: exp.Literal) -> Expr:
        if node.is_string:
            length = max(1, len(node.this))
            return Expr(literal(node.this), DataType("CHAR", length, nullable=False))
        text = node.this
        if text.isdigit():
            return (
                Expr(text, INT.as_nullable(nullable=False))
                if int(text) <= _MAX_INT
                else Expr(f"{text}L", BIGINT.as_nullable(nullable=False))
            )
        if "e" in text.lower():
            return Expr(f"{text}D", DataType("DOUBLE", nullable=False))
        whole, _, fraction = text.partition(".")
        scale = len(fraction)
        precision = max(len(whole.lstrip("0")) + scale, 1)
        return Expr(f"{text}BD", DataType("DECIMAL", precision, scale, nullable=False))

    def _boolean(self, node: exp.Boolean) -> Expr:
        return Expr("TRUE" if node.this else "FALSE", BOOLEAN.as_nullable(nullable=False))

    def _null(self, node: exp.Null) -> Expr:
        return Expr("NULL", NULL)

    # operators

    def _binary_arithmetic(self, node: exp.Binary) -> Expr:
        operator = _ARITHMETIC[type(node)]
        if isinstance(node.expression, exp.Interval) and operator in "+-":
            moment = self.compile(node.this)
            if moment.type.is_time or moment.type.root == "DATE":
                return Expr(
                    f"({moment.sql} {operator} {interval_sql(node.expression)})", moment.type
                )
            self._refuse(node, f"An interval can be added to a time, not to {moment.type}.")
        left, right = self.compile(node.this), self.compile(node.expression)
        result = arithmetic(operator, left, right)
        if result is None:
            self._refuse(node, f"The operands are {left.type} and {right.type}; CAST one of them.")
        return result

    def _negative(self, node: exp.Neg) -> Expr:
        operand = self.compile(node.this)
        if not operand.type.is_numeric:
            self._refuse(node, f"The operand is {operand.type}.")
        return Expr(f"(- {operand.sql})", operand.type)

    def _comparison(self, node: exp.Binary) -> Expr:
        left, right = self._comparable(self.compile(node.this), self.compile(node.expression), node)
        return Expr(f"({left} {_COMPARISON[type(node)]} {right})", BOOLEAN)

    def _comparable(self, left: Expr, right: Expr, node: exp.Expr) -> tuple[str, str]:
        for text, other in ((left, right), (right, left)):
            if text.type.is_text and (other.type.is_time or other.type.root == "DATE"):
                converted = cast(text.sql, text.type, other.type)
                return (converted, right.sql) if text is left else (left.sql, converted)
        if common_type(left.type, right.type) is None:
            self._refuse(
                node, f"{left.type} and {right.type} cannot be compared; CAST one of them."
            )
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
        operand = self.compile(node.this)
        if isinstance(node.expression, exp.Null | exp.Boolean):
            word = {True: "TRUE", False: "FALSE"}.get(node.expression.this, "NULL")
            return Expr(f"({operand.sql} IS {word})", BOOLEAN)
        return self._refuse(node)

    def _between(self, node: exp.Between) -> Expr:
        operand = self.compile(node.this)
        low = self._comparable(operand, self.compile(node.args["low"]), node)
        high = self._comparable(operand, self.compile(node.args["high"]), node)
        return Expr(f"({low[0]} >= {low[1]} AND {high[0]} <= {high[1]})", BOOLEAN)

    def _in(self, node: exp.In) -> Expr:
        if node.args.get("query") or not node.expressions:
            raise PlanError(
                "UNSUPPORTED_QUERY",
                span=node_span(node),
                feature="IN with a subquery",
                instead="List the values.",
            )
        operand = self.compile(node.this)
        values = [self.compile(value) for value in node.expressions]
        choices = [self._comparable(operand, value, node)[1] for value in values]
        return Expr(f"({operand.sql} IN ({', '.join(choices)}))", BOOLEAN)

    def _like(self, node: exp.Like) -> Expr:
        operand, pattern = self.compile(node.this), self.compile(node.expression)
        if not (operand.type.is_text and pattern.type.is_text):
            self._refuse(node, "LIKE compares texts.")
        return Expr(f"({operand.sql} LIKE {pattern.sql})", BOOLEAN)

    def _pipe(self, node: exp.DPipe) -> Expr:
        left, right = self.compile(node.this), self.compile(node.expression)
        if not (left.type.is_text and right.type.is_text):
            self._refuse(node, f"|| joins texts, not {left.type} and {right.type}; CAST to STRING.")
        return Expr(f"({left.sql} || {right.sql})", STRING)

    # forms

    def _case(self, node: exp.Case) -> Expr:
        branches = [(branch.this, branch.args["true"]) for branch in node.args["ifs"]]
        if node.this is not None:
            branches = [(exp.EQ(this=node.this, expression=when), then) for when, then in branches]
        whens = [(self.condition(when), self.compile(then)) for when, then in branches]
        default = node.args.get("default")
        otherwise = self.compile(default) if default else Expr("NULL", NULL)
        results = [then.type for _, then in whens] + [otherwise.type]
        type_ = reduce(lambda a, b: common_type(a, b) if a else None, results)  # type: ignore[arg-type,return-value]
        if type_ is None:
            self._refuse(node, f"Its results differ: {', '.join(map(str, results))}.")
        type_ = type_.as_nullable()
        parts = [f"WHEN {w.sql} THEN {cast(t.sql, t.type, type_)}" for w, t in whens]
        return Expr(
            f"CASE {' '.join(parts)} ELSE {cast(otherwise.sql, otherwise.type, type_)} END", type_
        )

    def _cast(self, node: exp.Cast) -> Expr:
        operand = self.compile(node.this)
        target = data_type(node.to, node.this.sql(dialect="flink"))
        safe = isinstance(node, exp.TryCast)
        sql = cast(operand.sql, operand.type, target, span=node_span(node), safe=safe)
        return Expr(sql, target.as_nullable(operand.type.nullable or safe))

    def _extract(self, node: exp.Extract) -> Expr:
        moment, unit = self.compile(node.expression), node.this.name.upper()
        if unit not in _EXTRACTABLE or not (moment.type.is_time or moment.type.root == "DATE"):
            self._refuse(node, f"Units: {', '.join(_EXTRACTABLE)}.")
        return Expr(f"CAST(floor(extract({unit} FROM {moment.sql})) AS BIGINT)", BIGINT)

    def _bracket(self, node: exp.Bracket) -> Expr:
        container, index = self.compile(node.this), self.compile(node.expressions[0])
        if container.type.root == "ARRAY" and index.type.is_integer:
            return Expr(
                f"try_element_at({container.sql}, {index.sql})", container.type.children[0][1]
            )
        if container.type.root == "MAP":
            return Expr(f"{container.sql}[{index.sql}]", container.type.children[1][1])
        return self._refuse(node, f"{container.type} has no elements.")

    def _call(self, node: exp.Anonymous) -> Expr:
        return self.call(node.name, node.expressions, node)

    def call(self, name: str, arguments: list[exp.Expr], node: exp.Expr) -> Expr:
        """A call of a function in the table, by the name a script uses."""
        signatures = SCALAR.get(name.upper())
        if signatures is None:
            near = difflib.get_close_matches(name.upper(), SCALAR, n=1)
            raise PlanError(
                "UNSUPPORTED_FUNCTION",
                span=node_span(node),
                function=name.upper(),
                did_you_mean=f" Did you mean {near[0]}?" if near else "",
                instead="",
            )
        compiled = [self.compile(argument) for argument in arguments]
        for signature in signatures:
            if signature.matches(compiled) and (result := signature.call(compiled)):
                return result
        raise PlanError(
            "WRONG_ARGUMENTS",
            span=node_span(node),
            function=name.upper(),
            found=", ".join(str(argument.type) for argument in compiled),
            expected=" or ".join(signature.describe() for signature in signatures),
        )

    _HANDLERS: ClassVar[dict[type, Callable[..., Expr]]] = {
        exp.Column: _column,
        exp.Dot: _dot,
        exp.Literal: _literal,
        exp.Boolean: _boolean,
        exp.Null: _null,
        **dict.fromkeys(_ARITHMETIC, _binary_arithmetic),
        **dict.fromkeys(_COMPARISON, _comparison),
        exp.Neg: _negative,
        exp.And: _connector,
        exp.Or: _connector,
        exp.Not: _not,
        exp.Paren: _paren,
        exp.Is: _is,
        exp.Between: _between,
        exp.In: _in,
        exp.Like: _like,
        exp.DPipe: _pipe,
        exp.Case: _case,
        exp.Cast: _cast,
        exp.Extract: _extract,
        exp.Bracket: _bracket,
        exp.Anonymous: _call,
        exp.Substring: lambda self, n: self.call(
            "SUBSTRING", _given(n, "this", "start", "length"), n
        ),
        exp.StrPosition: lambda self, n: self.call("POSITION", _given(n, "substr", "this"), n),
        exp.Trim: lambda self, n: (
            self.call("TRIM", _given(n, "this"), n)
            if not n.args.get("position") and not n.expression
            else self._refuse(n)
        ),
        exp.Floor: lambda self, n: (
            self.call("FLOOR", [n.this], n) if not n.args.get("to") else self._refuse(n)
        ),
        exp.Ceil: lambda self, n: (
            self.call("CEIL", [n.this], n) if not n.args.get("to") else self._refuse(n)
        ),
        exp.CurrentTimestamp: lambda self, n: Expr("current_timestamp()", TIMESTAMP_LTZ_3),
        exp.CurrentDate: lambda self, n: Expr("current_date()", DATE),
    }


def _given(node: exp.Expr, *names: str) -> list[exp.Expr]:
    return [node.args[name] for name in names if node.args.get(name) is not None]
