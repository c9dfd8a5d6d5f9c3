"""Statements of Flink that are known and refused, each with its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.errors import SqlError

if TYPE_CHECKING:
    from penstock.model.span import Span

_TOPIC = "A topic cannot be changed in place; write the new rows with INSERT INTO."
_MODULES = "The functions are those of the core module, always."
_PLANS = "A job's plan is made anew each time; its state is kept by its name."

REFUSED: dict[tuple[str, ...], str] = {
    ("ALTER", "CATALOG"): "Drop it and create it again.",
    ("ALTER", "FUNCTION"): "Drop it and create it again.",
    ("ALTER", "MODEL"): "",
    ("ANALYZE",): "Streams have no statistics; leave it out.",
    ("CALL",): "There are no stored procedures.",
    ("COMPILE",): _PLANS,
    ("CREATE OR REPLACE",): "Write DROP TABLE IF EXISTS and CREATE TABLE.",
    ("CREATE SYSTEM",): "Only functions are TEMPORARY SYSTEM.",
    ("DELETE",): _TOPIC,
    ("EXECUTE", "PLAN"): _PLANS,
    ("LOAD",): _MODULES,
    ("MERGE",): _TOPIC,
    ("STOP", "JOB"): "Stop the process that runs it, with Ctrl-C or SIGTERM.",
    ("TRUNCATE",): _TOPIC,
    ("UNLOAD",): _MODULES,
    ("UPDATE",): _TOPIC,
    ("USE", "MODULES"): _MODULES,
}


def refuse(words: tuple[str, ...], span: Span) -> SqlError:
    """The error for one of these."""
    return SqlError(
        "REFUSED_STATEMENT", span=span, statement=" ".join(words), reason=REFUSED[words]
    )
