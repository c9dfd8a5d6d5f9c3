"""Cases that planning must refuse: their code and their place, without JVM and broker."""

from __future__ import annotations

import pytest

from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.case_files import Case, load_cases


@pytest.mark.parametrize("case", load_cases(failing=True), ids=lambda case: case.id)
def test_refused_where_and_why(case: Case) -> None:
    code, _, place = case.directives["fail"].partition(" ")
    with pytest.raises(PenstockError) as caught:
        plan_script(parse(case.text), name=case.path.stem)
    assert caught.value.code == code, str(caught.value)
    if place:
        assert str(caught.value.span) == place
    for word in case.directives.get("says", "").split(" | "):
        assert word in str(caught.value)
