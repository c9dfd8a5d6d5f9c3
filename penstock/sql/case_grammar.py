"""CASE as Flink has it: `CASE value WHEN 1, 2 THEN …` takes several values in one WHEN."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType


def parse_case(parser: Any) -> exp.Expr:
    """What stands after CASE; a WHEN of several values becomes one WHEN per value."""
    value = parser._parse_disjunction()
    branches: list[exp.If] = []
    while parser._match(TokenType.WHEN):
        tests = parser._parse_csv(parser._parse_disjunction)
        if len(tests) > 1 and value is None:
            parser.raise_error("A condition of CASE stands alone; join conditions with OR")
        if not parser._match(TokenType.THEN):
            parser.raise_error("Expected THEN after WHEN")
        result = parser._parse_disjunction()
        if result is None:
            parser.raise_error("Expected a value after THEN")
        branches += [exp.If(this=test, true=result.copy()) for test in tests]
    default = parser._parse_disjunction() if parser._match(TokenType.ELSE) else None
    if not branches or not parser._match(TokenType.END):
        parser.raise_error("Expected CASE … WHEN … THEN … END", parser._curr or parser._prev)
    case: exp.Expr = parser.expression(exp.Case(this=value, ifs=branches, default=default))
    return case
