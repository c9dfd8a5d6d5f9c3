"""What GROUP BY names; of GROUPING SETS, ROLLUP and CUBE each row is repeated once per set."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import BIGINT, INT
from penstock.plan.nodes import Expand
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.model.types import DataType
    from penstock.plan.expressions import ExpressionCompiler
    from penstock.plan.language import Language
    from penstock.plan.nodes import Node

SET_COLUMN = "__set"
_FUNCTIONS = ("GROUPING", "GROUPING_ID")
_BESIDE = "stands in SELECT or HAVING, beside a GROUP BY."


@dataclass(frozen=True, slots=True)
class GroupingSets:
    """The sets in order, each the names of the key columns it groups by.

    `absent` says what a key is in the sets that leave it out, where that is not NULL.
    """

    sets: tuple[frozenset[str], ...]
    absent: Callable[[DataType], str] | None = None

    @property
    def number(self) -> Expr:
        """The number of a row's set: a key like the others."""
        return Expr(SET_COLUMN, INT)

    def expand(self, source: Node) -> Expand:
        """The input with every row once per set."""
        texts = tuple(f"({', '.join(sorted(names))})" for names in self.sets)
        return Expand(source, texts, source.fields)

    def key(self, name: str, expr: Expr) -> Expr:
        """A key, empty in the sets that leave it out."""
        without = self._sets_without(name)
        if not without:
            return expr
        chosen = f"CASE WHEN {SET_COLUMN} NOT IN ({without}) THEN {expr.sql}"
        if self.absent is None:
            return Expr(f"{chosen} END", expr.type.as_nullable())
        return Expr(f"{chosen} ELSE {self.absent(expr.type)} END", expr.type)

    def function(self, node: exp.Expr, key_name: Callable[[exp.Expr], str]) -> Expr | None:
        """`GROUPING(a)` and `GROUPING_ID(a, b)`: one bit per key, set where it is left out.

        `GROUP_ID()` counts how often the same set came before. What has no name is in all sets.
        """
        name = node.name.upper() if isinstance(node, exp.Anonymous) else ""
        if name == "GROUP_ID" and not node.expressions and self.absent is None:
            return self._repeated()
        if name not in _FUNCTIONS or not node.expressions:
            return None
        bits = ["0"]
        for position, argument in enumerate(reversed(node.expressions)):
            key = key_name(argument)
            if key and (absent := self._sets_without(key)):
                bits.append(f"CASE WHEN {SET_COLUMN} IN ({absent}) THEN {1 << position} ELSE 0 END")
        total = f"CAST({' + '.join(bits)} AS BIGINT)"
        return Expr(total, BIGINT.as_nullable(nullable=False))

    def _repeated(self) -> Expr:
        before = [self.sets[:number].count(keys) for number, keys in enumerate(self.sets)]
        cases = "".join(f" WHEN {number} THEN {n}" for number, n in enumerate(before) if n)
        total = f"CASE {SET_COLUMN}{cases} ELSE 0 END" if cases else "0"
        return Expr(f"CAST({total} AS BIGINT)", BIGINT.as_nullable(nullable=False))

    def _sets_without(self, key: str) -> str:
        return ", ".join(str(number) for number, keys in enumerate(self.sets) if key not in keys)


def _grouping(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    compiler.refuse(node, f"{node.name.upper()}(key, …) {_BESIDE}")


def _group_id(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    compiler.refuse(node, f"GROUP_ID() takes no argument, and {_BESIDE}")


# What the functions of groups are anywhere else.
ELSEWHERE: dict[str, Callable[..., Expr]] = {
    **dict.fromkeys(_FUNCTIONS, _grouping),
    "GROUP_ID": _group_id,
}


def grouping_sets(expressions: list[exp.Expr]) -> tuple[list[exp.Expr], list[list[exp.Expr]]]:
    """All key expressions of a GROUP BY, and its sets as lists of them; no sets if it has none."""
    if not any(isinstance(node, exp.GroupingSets | exp.Rollup | exp.Cube) for node in expressions):
        return expressions, []
    factors = [_sets_of(node) for node in expressions]
    sets = [list(chain.from_iterable(choice)) for choice in product(*factors)]
    keys = {node.sql(): node for chosen in sets for node in chosen}
    return list(keys.values()), sets


def _sets_of(node: exp.Expr) -> list[list[exp.Expr]]:
    if isinstance(node, exp.GroupingSets):
        return [chosen for part in node.expressions for chosen in _sets_of(part)]
    if isinstance(node, exp.Rollup):
        parts = [_members(part) for part in node.expressions]
        return [list(chain.from_iterable(parts[:n])) for n in range(len(parts), -1, -1)]
    if isinstance(node, exp.Cube):
        parts = [_members(part) for part in node.expressions]
        sizes = range(len(parts), -1, -1)
        return [list(chain.from_iterable(c)) for n in sizes for c in combinations(parts, n)]
    return [_members(node)]


def _members(node: exp.Expr) -> list[exp.Expr]:
    if isinstance(node, exp.Tuple):
        return list(node.expressions)
    return [node.this if isinstance(node, exp.Paren) else node]


def grouped_by(query: exp.Select, language: Language) -> list[exp.Expr]:
    """What stands in GROUP BY, be it a name or a position of SELECT in dialects that know it."""
    group = query.args.get("group")
    listed = group.expressions if group else []
    if not language.groups_by_alias:
        return listed
    named = {item.alias: item.this for item in query.expressions if isinstance(item, exp.Alias)}
    found = []
    for node in listed:
        if isinstance(node, exp.Literal) and node.this.isdigit():
            if not 1 <= int(node.this) <= len(query.expressions):
                raise PlanError(
                    "INVALID_QUERY",
                    span=node_span(node),
                    problem=f"GROUP BY {node.this} names no column of SELECT.",
                    instead="",
                )
            item = query.expressions[int(node.this) - 1]
            found.append(item.this if isinstance(item, exp.Alias) else item)
        elif isinstance(node, exp.Column) and not node.table and node.name in named:
            found.append(named[node.name])
        else:
            found.append(node)
    return found
