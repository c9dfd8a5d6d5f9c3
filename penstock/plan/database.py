"""CURRENT_DATABASE() in a query: the database in use when the query is planned."""

from __future__ import annotations

from sqlglot import exp


def with_database(query: exp.Expr, database: str) -> None:
    """Put the name in the place of the call."""
    for call in list(query.find_all(exp.Anonymous)):
        if call.name.upper() == "CURRENT_DATABASE" and not call.expressions:
            name = exp.Cast(this=exp.Literal.string(database), to=exp.DataType.build("text"))
            call.replace(name)
