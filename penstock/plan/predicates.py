"""LIKE, SIMILAR TO, OVERLAPS, IS JSON and equal rows, which Spark lacks or has otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.model.expression import Expr
from penstock.model.types import BOOLEAN, STRING, literal
from penstock.sql.cast_nested import alike
from penstock.sql.casts import cast
from penstock.sql.literals import text_of
from penstock.sql.similar import like_regex, similar_regex

if TYPE_CHECKING:
    from penstock.model.types import DataType
    from penstock.plan.expressions import ExpressionCompiler

# Types whose values Spark compares with no other.
MAPS = ("MAP", "MULTISET")
# Keys that Flink looks up otherwise than it compares them.
_WITHOUT_KEYS = ("FLOAT", "DOUBLE", "BINARY", "VARBINARY")


def like(compiler: ExpressionCompiler, node: exp.Like, escape: str = "") -> Expr:
    """`text [NOT] LIKE pattern [ESCAPE 'c']`."""
    text, pattern = compiler.compile(node.this), compiler.compile(node.expression)
    if not (text.type.is_text and pattern.type.is_text):
        compiler.refuse(node, "LIKE compares texts.")
    known = text_of(pattern.sql)
    if known is not None and "_" in known:
        # Spark's `_` also stands for the end of a line.
        regex = like_regex(known, escape)
        if regex is None:
            compiler.refuse(node, "ESCAPE stands before _, % or itself.")
        found = f"penstock_regexp_matches({text.sql}, {literal(regex)})"
    elif escape:
        found = f"{text.sql} LIKE {pattern.sql} ESCAPE {literal(escape)}"
    else:
        # A backslash is a letter like others to Flink, unless ESCAPE names it.
        doubled = rf"replace({pattern.sql}, '\\', '\\\\')"
        if known is not None:
            doubled = literal(known.replace("\\", "\\\\"))
        found = f"{text.sql} LIKE {doubled}"
    return Expr(f"({'NOT ' if node.args.get('negate') else ''}{found})", BOOLEAN)


def similar(compiler: ExpressionCompiler, node: exp.SimilarTo, escape: str = "") -> Expr:
    """`text SIMILAR TO 'pattern' [ESCAPE 'c']`."""
    text, pattern = compiler.compile(node.this), compiler.compile(node.expression)
    known = text_of(pattern.sql)
    if known is None or not (text.type.is_text or text.type.root == "NULL"):
        compiler.refuse(node, "SIMILAR TO takes a text and a pattern written as a literal.")
    regex = similar_regex(known, escape)
    if regex is None:
        compiler.refuse(node, "The pattern breaks the rules of SIMILAR TO.")
    operand = cast(text.sql, text.type, STRING)
    return Expr(f"penstock_regexp_matches({operand}, {literal(regex)})", BOOLEAN)


def escaped(compiler: ExpressionCompiler, node: exp.Escape) -> Expr:
    """LIKE or SIMILAR TO with its `ESCAPE 'c'`."""
    known = text_of(compiler.compile(node.expression).sql) or ""
    if not isinstance(node.this, exp.Like | exp.SimilarTo) or len(known) != 1:
        compiler.refuse(node, "ESCAPE takes one character, written as a literal.")
    if isinstance(node.this, exp.SimilarTo):
        return similar(compiler, node.this, known)
    return like(compiler, node.this, known)


def is_row(node: exp.Expr) -> bool:
    """Whether this is `(a, b)` or `ROW(a, b)`, written out."""
    return isinstance(node, exp.Tuple) or (
        isinstance(node, exp.Anonymous) and node.name.upper() == "ROW"
    )


def equal_rows(
    compiler: ExpressionCompiler, left: exp.Expr, right: exp.Expr, node: exp.Expr
) -> str:
    """Rows that are written out are equal field by field, so one with a NULL may be neither."""
    if not is_row(right) or len(left.expressions) != len(right.expressions):
        compiler.refuse(node, "Compare rows of as many fields, each written out.")
    sides = ([compiler.compile(field) for field in side.expressions] for side in (left, right))
    pairs = (
        compiler.comparable(one, other, node)
        if isinstance(node, exp.EQ)
        else (one.sql, compiler.choice(one, other, node))
        for one, other in zip(*sides, strict=True)
    )
    return f"({' AND '.join(f'{one} = {other}' for one, other in pairs)})"


def equal_maps(
    compiler: ExpressionCompiler, left: Expr, right: Expr, node: exp.Expr, depth: int = 0
) -> str:
    """Maps are equal if they have the same keys, each with an equal value: NULL equals none."""
    mine, theirs = left.type.entry, right.type.entry
    if any(part.root in _WITHOUT_KEYS or part.children for part in (mine[0], theirs[0])):
        compiler.refuse(node, f"Maps by keys of type {mine[0]} are not compared.")
    if not all(_is_one_type(*pair) for pair in zip(mine, theirs, strict=True)):
        compiler.refuse(node, f"{left.type} and {right.type} cannot be compared; CAST one of them.")
    # Both stand outside of the lambda, whose names would hide columns called as they are.
    value, other = Expr(f"a{depth}", mine[1]), Expr(f"b{depth}", theirs[1])
    if value.type.root in MAPS:
        equal = equal_maps(compiler, value, other, node, depth + 1)
    else:
        equal = " = ".join(compiler.comparable(value, other, node))
    by_key = f"(k{depth}, a{depth}, b{depth}) -> coalesce({equal}, FALSE)"
    zipped = f"map_zip_with({left.sql}, {right.sql}, {by_key})"
    return f"forall(map_values({zipped}), t{depth} -> t{depth})"


def _is_one_type(one: DataType, other: DataType) -> bool:
    """Whether values of both are compared as they are; of maps the entries are asked."""
    if one.root == other.root and one.root in MAPS:
        return True
    if any(part.root in MAPS for part in (*one.parts, *other.parts)):
        return False
    return (one.is_text and other.is_text) or alike(one, other)


def overlaps(compiler: ExpressionCompiler, node: exp.Overlaps) -> Expr:
    """`(start, end or length) OVERLAPS (start, end or length)`; the ends belong to the periods."""
    periods = [_period(compiler, side) for side in (node.this, node.expression)]
    (first_start, first_end), (second_start, second_end) = periods
    return Expr(f"({first_end} >= {second_start} AND {second_end} >= {first_start})", BOOLEAN)


def _period(compiler: ExpressionCompiler, node: exp.Expr) -> tuple[str, str]:
    """The start and the end, in this order whichever was written first."""
    if not (isinstance(node, exp.Tuple) and len(node.expressions) == 2):
        compiler.refuse(node, "Write (start, end) OVERLAPS (start, end).")
    start, end = node.expressions
    if isinstance(end, exp.Interval):
        end = exp.Add(this=start, expression=end)
    ends = [compiler.compile(part) for part in (start, end)]
    if ends[0].type.root != ends[1].type.root or not all(_is_moment(part) for part in ends):
        compiler.refuse(node, f"A period is of two times, not {ends[0].type} and {ends[1].type}.")
    low, high = (part.sql for part in ends)
    return tuple(  # type: ignore[return-value]
        f"CASE WHEN {low} <= {high} THEN {one} ELSE {other} END"
        for one, other in ((low, high), (high, low))
    )


def _is_moment(part: Expr) -> bool:
    return part.type.is_time or part.type.root in ("DATE", "TIME")


def is_json(compiler: ExpressionCompiler, node: exp.Is) -> Expr:
    """`text IS JSON [VALUE | SCALAR | ARRAY | OBJECT]`; NULL is not JSON."""
    text, test = compiler.compile(node.this), node.expression
    if test.args.get("with_") is not None or test.args.get("unique"):
        compiler.refuse(node, "Uniqueness of keys is not checked.")
    if not (text.type.is_text or text.type.root == "NULL"):
        compiler.refuse(node, f"IS JSON tests a text, this is {text.type}.")
    kind = literal(test.this or "VALUE")
    sql = f"coalesce(penstock_is_json({cast(text.sql, text.type, STRING)}, {kind}), FALSE)"
    return Expr(sql, BOOLEAN.as_nullable(nullable=False))
