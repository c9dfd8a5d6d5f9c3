"""The plan of every case that runs, as `penstock explain` shows it; `make golden` rewrites them."""

from __future__ import annotations

import pytest

from penstock.plan.explain import explain
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.case_files import Case, load_cases


@pytest.mark.parametrize("case", load_cases(failing=False), ids=lambda case: case.id)
def test_plan_is_as_recorded(case: Case, request: pytest.FixtureRequest) -> None:
    shown = explain(plan_script(parse(case.text), name=case.path.stem)) + "\n"
    golden = case.path.with_suffix(".plan")
    if request.config.getoption("--golden"):
        golden.write_text(shown, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == shown
