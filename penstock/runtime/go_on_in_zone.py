"""The time zone of a job that goes on: the one that its state was made with.

Called by `start_job` before anything is compiled. State has local times in it, and the watermark
is one: another zone would make rows late, or never let them go.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from penstock.plan.settings import ZONE
from penstock.runtime.shape import kept_zone
from penstock.spark.zone import SESSION_ZONE, use_zone, zone_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.plan.query import ScriptPlan
    from penstock.runtime.state import JobFolder

_log = logging.getLogger("penstock.job")


def go_on_in_zone(plan: ScriptPlan, folder: JobFolder, session: SparkSession) -> None:
    """Set the zone of a session to the job's, unless the script names one: that is compared."""
    settings = dict(plan.settings)
    if SESSION_ZONE in settings or settings.get(ZONE, "default") != "default":
        return
    kept = [zone for query in plan.queries if (zone := kept_zone(folder, query.id))]
    if kept and kept[0] != (other := zone_of(session)):
        text = "%s: goes on in the time zone %s, in which it began; this machine's is %s."
        _log.warning(text, plan.name, kept[0], other)
        use_zone(session, kept[0])
