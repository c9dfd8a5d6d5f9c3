"""SET, RESET and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penstock.model.secret import shown_value
from penstock.plan.query import Result
from penstock.plan.settings import check_setting

if TYPE_CHECKING:
    from penstock.plan.planning import Planning
    from penstock.sql.statements import Mistake, Note, ResetOption, SetOption

CREDENTIALS = "penstock.credentials"
DYNAMIC_OPTIONS = "table.dynamic-table-options.enabled"


def set_option(planning: Planning, statement: SetOption) -> None:
    """A setting, or all of them as a result."""
    if not statement.key:
        rows = tuple(
            (key, shown_value(key, value)) for key, value in sorted(planning.settings.items())
        )
        planning.results.append(Result(("key", "value"), rows))
        return
    check_setting(statement.key, statement.value, statement.span)
    planning.settings[statement.key] = statement.value
    apply_settings(planning)


def reset_option(planning: Planning, statement: ResetOption) -> None:
    """Back to the default."""
    kept = {k: v for k, v in planning.settings.items() if statement.key and k != statement.key}
    planning.settings = kept
    apply_settings(planning)


def apply_settings(planning: Planning) -> None:
    """What the catalog must know of the settings."""
    planning.catalog.credentials = planning.effective.get(CREDENTIALS)
    planning.catalog.dynamic_options = planning.effective.get(DYNAMIC_OPTIONS, "true") != "false"


def note(planning: Planning, statement: Note) -> None:
    """Told at the end."""
    planning.note(statement.text, statement.span)


def mistake(planning: Planning, statement: Mistake) -> None:
    """What could not be read."""
    raise statement.error
