"""QUALIFY: the query below it, and above that one that filters, sorts and cuts what it gives."""

from __future__ import annotations

from sqlglot import exp

from penstock.plan.clickhouse.joins import HIDDEN

# What is done to the rows that QUALIFY leaves.
_ABOVE = ("with_", "distinct", "order", "limit", "limit_by", "offset")


def rewrite_qualify(select: exp.Select) -> None:
    """`SELECT a … QUALIFY c ORDER BY b` is `SELECT * FROM (SELECT a, c, b …) WHERE c ORDER BY b`.

    What is not among the columns of SELECT is carried along as hidden, which `*` passes over.
    """
    qualify = select.args.pop("qualify", None)
    if qualify is None:
        return
    inner = exp.Select()
    for name in [name for name, value in select.args.items() if value and name not in _ABOVE]:
        inner.set(name, select.args[name])
        select.set(name, None)
    marks = [qualify.this]
    names = {item.alias_or_name for item in inner.expressions}
    for term in _terms(select):
        plain = isinstance(term, exp.Column) and not term.table and term.name in names
        if not plain and not isinstance(term, exp.Literal):
            term.replace(_mark(len(marks)))
            marks.append(term)
    hidden = [exp.alias_(mark, f"{HIDDEN}q{at}", quoted=True) for at, mark in enumerate(marks)]
    inner.set("expressions", [*inner.expressions, *hidden])
    alias = exp.TableAlias(this=exp.to_identifier(f"{HIDDEN}q"))
    select.set("expressions", [exp.Star()])
    select.set("from_", exp.From(this=exp.Subquery(this=inner, alias=alias)))
    select.set("where", exp.Where(this=_mark(0)))


def _terms(select: exp.Select) -> list[exp.Expr]:
    order, by = select.args.get("order"), select.args.get("limit_by")
    terms = [term.this for term in order.expressions] if order else []
    return [*terms, *(by.expressions if by else [])]


def _mark(at: int) -> exp.Column:
    return exp.column(f"{HIDDEN}q{at}", quoted=True)
