"""A value as ClickHouse's formats write it, by the functions of the Java module."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from penstock.model.types import literal, type_facts
from penstock.sql.clickhouse.numbers import as_number

if TYPE_CHECKING:
    from penstock.model.expression import Expr

_JSON = "penstock_ch_json_each_row_encode"
_TEXT = "penstock_ch_separated_encode"
_BEFORE, _BEHIND = len('{"x":'), len("}\n")


def as_json(value: Expr) -> str:
    """The value in JSON; a NULL is `null`."""
    row = _written(_JSON, value, {})
    return f"substring({row}, {_BEFORE + 1}, char_length({row}) - {_BEFORE + _BEHIND})"


def as_text(value: Expr) -> str:
    """An Array, a Map or a Tuple as text: strings inside it stand in quotes."""
    row = _written(_TEXT, value, {"form": "tsv"})
    return f"substring({row}, 1, char_length({row}) - 1)"


def _written(function: str, value: Expr, form: dict[str, object]) -> str:
    told = as_number(value) if value.type.precision else value
    types = json.dumps([type_facts("x", told.type)], ensure_ascii=False)
    options = literal(json.dumps({**form, "types": types}, ensure_ascii=False))
    return f"CAST({function}(named_struct('x', {told.sql}), {options}) AS STRING)"
