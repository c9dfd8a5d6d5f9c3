"""Small notes that a query keeps beside its checkpoint: read, and replaced as a whole.

Called by sinks and by `runtime`, each for files of its own.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def read_kept(file: Path) -> dict[str, Any]:
    """What was kept; nothing if nothing was."""
    try:
        found: dict[str, Any] = json.loads(file.read_text())
    except FileNotFoundError:
        return {}
    return found


def keep(file: Path, content: Mapping[str, Any]) -> None:
    """Replace it: whoever reads, also after a crash, finds the old or the new, never half."""
    file.parent.mkdir(parents=True, exist_ok=True)
    staged = file.with_suffix(".tmp")
    staged.write_text(json.dumps(content))
    staged.replace(file)
