"""Every scalar function on Flink's page is supported or refused with a reason, as documented."""

from __future__ import annotations

import pytest

from penstock.errors import PlanError
from penstock.model.types import BOOLEAN, INT, STRING
from penstock.plan.expressions import FLINK, ExpressionCompiler
from penstock.plan.scope import Field, Scope
from penstock.sql.functions import AGGREGATE, FORMS, REFUSED, SCALAR
from penstock.sql.functions.system import OPERATORS, SYSTEM_AGGREGATE, SYSTEM_SCALAR
from tests.sql.functions.expressions import compiled, parsed

_COLUMNS = {"a": BOOLEAN, "i": INT, "s": STRING}
_SCOPE = Scope((("t", tuple(Field(name, type_, name) for name, type_ in _COLUMNS.items())),))
_NAMES = sorted({name for section in SYSTEM_SCALAR.values() for name in section})


@pytest.mark.parametrize("name", _NAMES)
def test_supported_or_refused(name: str) -> None:
    known = [name in table for table in (SCALAR, FORMS, FLINK.calls)]
    assert any(known) != (name in REFUSED)


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_says_why(name: str) -> None:
    with pytest.raises(PlanError) as caught:
        compiled(f"{name}(s)")
    assert caught.value.code == "UNSUPPORTED_FUNCTION"
    assert REFUSED[name] in str(caught.value)
    assert "Did you mean" not in str(caught.value)


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators(operator: str) -> None:
    ExpressionCompiler(_SCOPE, FLINK).compile(parsed(OPERATORS[operator]))


def test_a_refused_name_is_in_no_table() -> None:
    assert not REFUSED.keys() & {*SCALAR, *AGGREGATE, *FORMS, *FLINK.calls}
    sections = {**SYSTEM_SCALAR, **SYSTEM_AGGREGATE}.values()
    listed = {name for section in sections for name in section}
    assert REFUSED.keys() <= listed
