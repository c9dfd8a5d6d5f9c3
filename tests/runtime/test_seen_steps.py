"""With `drain`, which steps wait until views have read what is there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

from penstock.plan.steps import ForgetView, HoldViews, Keep, SetViews, StopViews
from penstock.runtime.steps import StepRun

if TYPE_CHECKING:
    from penstock.plan.steps import Action


def _waits(action: Action, *, inserted: bool = False, drain: bool = True) -> bool:
    run = SimpleNamespace(how=SimpleNamespace(drain=drain), _has_inserted=inserted)
    return StepRun._is_seen(run, action)  # type: ignore[arg-type]


def test_views_of_a_script_begin_together() -> None:
    """A second one finds what the first would have read alone, unless it was inserted before."""
    for action in (ForgetView("v"), SetViews(())):
        assert not _waits(action)
        assert _waits(action, inserted=True)
    assert _waits(StopViews((), ()))
    assert not _waits(StopViews((), ()), drain=False)
    assert not any(map(_waits, (HoldViews(()), Keep())))
