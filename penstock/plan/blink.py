"""Blink's functions: Flink's, and those it names or types differently."""

from __future__ import annotations

from dataclasses import replace

from penstock.plan.expressions import FLINK
from penstock.sql.functions.blink import BLINK_SCALAR

BLINK = replace(FLINK, name="blink", scalar={**FLINK.scalar, **BLINK_SCALAR})
