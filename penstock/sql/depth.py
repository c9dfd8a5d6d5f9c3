"""How deep a script may nest: enough for generated ones, and an error instead of a crash beyond."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from penstock.errors import SqlError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penstock.model.span import Span

# About 25 calls of Python for a nested call of the script: this allows some 200 of those.
_CALLS = 6000


@contextmanager
def nesting(span: Span | None) -> Iterator[None]:
    """Let Python go deep; what is deeper still is an error at the given place."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _CALLS))
    try:
        yield
    except RecursionError:
        raise SqlError("TOO_DEEP", span=span) from None
    finally:
        sys.setrecursionlimit(before)
