"""Penstock inside a program of the user's: `Session(spark).execute(text)` → jobs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from penstock.catalog.catalog import Overrides
from penstock.catalog.warehouse import DEFAULT_NAME
from penstock.errors import PlanError
from penstock.plan.engine import require_runnable
from penstock.plan.script import plan_script
from penstock.runtime.job import Job
from penstock.runtime.preflight import preflight
from penstock.runtime.start import start_job
from penstock.runtime.state import JobFolder, default_state_dir
from penstock.sql.parse import fill_variables, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyspark.sql import SparkSession

    from penstock.plan.query import ScriptPlan


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
        self._state_dir = Path(state_dir).absolute() if state_dir else default_state_dir(None)
        self._overrides = Overrides(
            bootstrap,
            bound,
            folders,
            credentials_file=file,
            warehouse=str(self._state_dir / DEFAULT_NAME),
        )

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

        def planned() -> ScriptPlan:
            return plan_script(
                parse(fill_variables(text, variables or {}), dialect),
                name=name,
                overrides=self._overrides,
                settings=tuple((settings or {}).items()),
            )

        plan = planned()
        if not plan.queries and not plan.steps:
            raise PlanError("NOTHING_TO_RUN", count=len(plan.tables))
        require_runnable(plan.queries)
        folder = JobFolder.of_plan(plan, self._state_dir)
        if plan.steps:
            session = prepare(self._spark, dict(plan.settings))
            return self._steps(plan, session, folder, drain=drain, replan=planned)
        preflight(plan.queries)
        session = prepare(self._spark, dict(plan.settings))
        job = start_job(plan, session, folder=folder, lock=folder.lock(), drain=drain)
        job.look_after()
        return job

    def _steps(
        self,
        plan: ScriptPlan,
        session: SparkSession,
        folder: JobFolder,
        *,
        drain: bool,
        replan: Callable[[], ScriptPlan],
    ) -> Job:
        """Tables at rest: all steps are done when this returns, only views go on."""
        from penstock.runtime.start_steps import start_steps
        from penstock.runtime.steps import How

        how = How(drain, Job.wait, lambda result: None)
        job = start_steps(plan, session, folder=folder, how=how, replan=replan)
        assert job  # noqa: S101 — nobody but `wait` could have stopped it
        if not job.ends:
            job.look_after()
        return job


def spark_jars(*, delta: bool = False) -> str:
    """The jars a SparkSession needs, for its setting `spark.jars`; fetched if they are not here.

    Scripts with ClickHouse's tables at rest need those of `delta`, too.
    """
    from penstock.jars.fetch import jars
    from penstock.jars.module import module_jar

    found = [*jars("spark"), *(jars("delta") if delta else ()), module_jar()]
    return ",".join(str(path) for path in found)
