"""Penstock inside a program of the user's: `Session(spark).execute(text)` → jobs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from penstock.catalog.catalog import Overrides
from penstock.errors import PlanError
from penstock.plan.engine import require_runnable
from penstock.plan.script import plan_script
from penstock.runtime.job import Job, start_job
from penstock.runtime.preflight import preflight
from penstock.runtime.state import JobFolder, default_state_dir
from penstock.sql.parse import fill_variables, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession


class Session:
    """Runs scripts on a SparkSession that exists already and that stays the user's.

    The session needs Penstock's jars: build it with `.config("spark.jars", penstock.spark_jars())`.
    """

    def __init__(
        self,
        spark: SparkSession,
        *,
        bootstrap: str | None = None,
        bindings: Mapping[str, str] | None = None,
        state_dir: str | Path | None = None,
        credentials: str | Path | None = None,
    ) -> None:
        self._spark = spark
        bound = {name: str(Path(path).absolute()) for name, path in (bindings or {}).items()}
        file = str(Path(credentials).absolute()) if credentials else None
        folders = (str(Path().absolute()),)
        self._overrides = Overrides(bootstrap, bound, folders, credentials_file=file)
        self._state_dir = Path(state_dir).absolute() if state_dir else default_state_dir(None)

    def execute(
        self,
        text: str,
        *,
        name: str = "session",
        variables: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
        drain: bool = False,
        dialect: str | None = None,
    ) -> Job:
        """Start the queries of a script as one job; `job.wait()` and `job.stop()` end it.

        It goes on, commits its groups' offsets and tells its status also while nobody waits.
        `dialect` is "flink", "blink" or "clickhouse"; without it the script's text tells.
        """
        from penstock.spark.session import prepare

        plan = plan_script(
            parse(fill_variables(text, variables or {}), dialect),
            name=name,
            overrides=self._overrides,
            settings=tuple((settings or {}).items()),
        )
        if not plan.queries:
            raise PlanError("NOTHING_TO_RUN", count=len(plan.tables))
        require_runnable(plan.queries)
        preflight(plan.queries)
        session = prepare(self._spark, dict(plan.settings))
        folder = JobFolder.of_plan(plan, self._state_dir)
        job = start_job(plan, session, folder=folder, lock=folder.lock(), drain=drain)
        job.look_after()
        return job


def spark_jars() -> str:
    """The jars a SparkSession needs, for its setting `spark.jars`; fetched if they are not here."""
    from penstock.jars.fetch import jars
    from penstock.jars.module import module_jar

    return ",".join(str(path) for path in [*jars("spark"), module_jar()])
