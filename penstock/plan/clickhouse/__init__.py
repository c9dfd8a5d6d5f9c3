"""ClickHouse's queries and statements: its `Language`, and the handlers of its statements."""

from __future__ import annotations

from penstock.plan.clickhouse.language import CLICKHOUSE
from penstock.plan.clickhouse.statements import HANDLERS

__all__ = ["CLICKHOUSE", "HANDLERS"]
