"""Flink's functions of JSON texts that need no clauses; those that do are in `plan.json_forms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import PlanError
from penstock.model.types import INT, STRING, literal
from penstock.sql.functions.base import Signature as S
from penstock.sql.json_path import clauses_text, json_path
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.expression import Expr


def _at_path(function: str) -> Callable[[Sequence[Expr]], str]:
    """A call with the path, which has no mode: what it does not find is NULL."""

    def build(arguments: Sequence[Expr]) -> str:
        facts: dict[str, object] = {}
        if len(arguments) > 1:
            text = text_of(arguments[1].sql) or ""
            path = json_path(text)
            if path.moded:
                problem = "This function takes no lax or strict; write $.a.b alone."
                raise PlanError("UNSUPPORTED_JSON_PATH", path=text, problem=problem)
            facts["path"] = path.facts()
        return f"{function}({literal(clauses_text(facts))}, {arguments[0].sql})"

    return build


_LENGTH, _TYPE = _at_path("penstock_json_length"), _at_path("penstock_json_type")

JSON: dict[str, tuple[S, ...]] = {
    "JSON_LENGTH": (
        S(("text",), _LENGTH, INT),
        S(("text", "literal text"), _LENGTH, INT),
    ),
    "JSON_QUOTE": (S(("text",), "penstock_json_quote({0})", STRING),),
    "JSON_TYPE": (
        S(("text",), _TYPE, STRING),
        S(("text", "literal text"), _TYPE, STRING),
    ),
    "JSON_UNQUOTE": (S(("text",), "penstock_json_unquote({0})", STRING),),
}
