"""`penstock demo`: an embedded broker, a stream of shop events, a SQL pipeline, and what comes out.

The script is `examples/demo.sql`, run by the same code as `penstock run`.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.demo_events import EventStream
from penstock.cli.demo_view import DemoView, Results
from penstock.cli.fetch import fetch_jars
from penstock.cli.source import Arguments, plan_statements, statements_of
from penstock.runtime.start import start_job
from penstock.runtime.state import JobFolder
from penstock.spark.session import BackgroundSession

if TYPE_CHECKING:
    from penstock.runtime.job import Job

EVENTS_TOPIC, RESULTS_TOPIC = "demo_user_behavior", "demo_sales"
_PARTITIONS = 2
_REFRESH_S = 0.25
# After the last event its window is closed by a later one; then the pipeline catches up.
_SETTLE_S = 4.0
# Spark compiles the query in its first batch; on a slow machine the show begins without it.
_FIRST_BATCH_S = 25.0


def run_demo(seconds: int) -> None:
    """Run everything, end by itself."""
    view = DemoView(seconds)
    script = demo_script()
    view.introduce(script.read_text())
    with tempfile.TemporaryDirectory(prefix="penstock-demo-") as scratch:
        run_in(script, Path(scratch), seconds, view)
    sys.stdout.flush()
    sys.stderr.flush()
    # The JVM ends with us; its own shutdown would only keep the user waiting.
    os._exit(0)


def demo_script() -> Path:
    """The script, in a clone or in an installed package."""
    package = Path(__file__).parents[1]
    inside, beside = package / "examples" / "demo.sql", package.parent / "examples" / "demo.sql"
    return inside if inside.exists() else beside


def run_in(script: Path, scratch: Path, seconds: int, view: DemoView) -> None:
    """The demo itself, its state in a folder that the caller removes."""
    from penstock.kafka.broker import start

    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    arguments = Arguments(script)
    statements = statements_of(arguments)
    fetch_jars("spark", "broker")
    folder = JobFolder.of("demo", scratch)
    session = BackgroundSession(
        {}, master="local[*]", app_name="demo", log_file=folder.path / "spark.log"
    )
    view.step("starting the embedded Kafka broker and Spark")
    address = start(owner_pid=os.getpid()).address
    properties = {"bootstrap.servers": address}
    _fresh_topics(properties)
    plan = plan_statements(statements, arguments.with_bootstrap(address))
    events = EventStream(properties, EVENTS_TOPIC)
    results = Results(properties, RESULTS_TOPIC)
    spark = session.get()
    view.step(f"broker at {address}; events flow for {seconds} s")
    job = start_job(plan, spark, folder=folder, lock=folder.lock(), drain=False)
    events.start()
    results.start()
    with view:
        _watch(job, events, results, view, seconds=seconds, stopping=stopping)
    events.stop()
    job.stop()
    view.summary(job.progress()[0], events, results)


def _watch(
    job: Job,
    events: EventStream,
    results: Results,
    view: DemoView,
    *,
    seconds: int,
    stopping: threading.Event,
) -> None:
    """Show the job until the events have flowed for so long; Spark's first batch is waited for."""
    until = time.monotonic() + _FIRST_BATCH_S + seconds
    while not stopping.wait(_REFRESH_S) and time.monotonic() < until + _SETTLE_S:
        progress = job.progress()[0]
        if not view.flowing and progress.batches:
            view.begin()
            until = time.monotonic() + seconds
        if time.monotonic() >= until:
            events.stop()
        job.raise_failure()
        view.show(progress, events, results)


def _fresh_topics(properties: dict[str, str]) -> None:
    from penstock.kafka.admin import create_topic, delete_topic

    for topic in (EVENTS_TOPIC, RESULTS_TOPIC):
        delete_topic(properties, topic, if_exists=True)
        create_topic(properties, topic, partitions=_PARTITIONS)
