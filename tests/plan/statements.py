"""Scripts that begin with the tables `t` and `s`, and what they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.plan.script import plan_script
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from penstock.plan.query import ScriptPlan

KAFKA = (
    "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'x:1', "
    "'properties.sasl.jaas.config' = 'secret', 'properties.group.id' = 'g', 'format' = 'json'"
)
TABLES = f"""CREATE TABLE t (a INT, b STRING, ts TIMESTAMP(3), c AS a + 1,
  m BIGINT METADATA FROM 'offset' VIRTUAL,
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) COMMENT 'x' WITH ({KAFKA});
CREATE TABLE s (n INT) WITH ({KAFKA});
"""


def plan(script: str) -> ScriptPlan:
    return plan_script(parse(TABLES + script), name="test")


def rows(script: str) -> list[tuple[str, ...]]:
    return list(plan(script).results[-1].rows)


def columns(script: str) -> dict[str, str]:
    return {row[0]: row[1] for row in rows(script)}
