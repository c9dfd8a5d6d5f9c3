"""Functions by the name a script uses: `SCALAR` and `AGGREGATE` decide what exists and means what."""

from __future__ import annotations

from penstock.sql.functions.aggregate import AGGREGATE
from penstock.sql.functions.scalar import SCALAR

__all__ = ["AGGREGATE", "SCALAR"]
