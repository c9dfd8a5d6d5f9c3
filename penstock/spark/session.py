"""Starts Spark: quiet, with our jars, with the settings of the script."""

from __future__ import annotations

import logging
import os
import sys
import threading
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.errors import OptionError, PenstockError, RunError, SetupError
from penstock.jars.fetch import jars
from penstock.jars.java import find_java
from penstock.jars.module import module_jar
from penstock.model.secret import SECRET_WORDS, is_secret
from penstock.plan.settings import STATE_MEMORY, ZONE, setting
from penstock.spark.archive import ClassArchive
from penstock.spark.java_class import java_class
from penstock.spark.log import note_log
from penstock.spark.memory import default_state_memory_mb
from penstock.spark.zone import SESSION_ZONE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark import SparkConf
    from pyspark.sql import SparkSession

_LOG_CONFIG = Path(__file__).with_name("log4j2.properties")
# Java's second compiler waits until a method has run ten times as often as usual: at the start it
# would take the cores from what the first row waits for, and rows in bulk get there in a second.
_LATE_OPTIMIZATION = (
    "-XX:Tier4InvocationThreshold=50000",
    "-XX:Tier4MinInvocationThreshold=6000",
    "-XX:Tier4CompileThreshold=150000",
    "-XX:Tier4BackEdgeThreshold=400000",
)
# A compiler that was warmed up has read these settings already.
_CODEGEN = "spark.sql.codegen."
# Else Spark asks the network for the name of this machine; its launcher lives for a moment only.
_LOCAL_ENVIRONMENT = {
    "SPARK_LOCAL_IP": "127.0.0.1",
    "SPARK_LOCAL_HOSTNAME": "127.0.0.1",
    "SPARK_LAUNCHER_OPTS": "-XX:TieredStopAtLevel=1",
}
_STATE_STORE = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
_ROCKSDB = "spark.sql.streaming.stateStore.rocksdb"

# What every session of ours needs for the rows to be right, whoever made the session.
SESSION_SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.caseSensitive": "true",
    "spark.sql.mapKeyDedupPolicy": "LAST_WIN",
    "spark.sql.streaming.checkpointFileManagerClass": "penstock.checkpoint.CheckpointFiles",
    "spark.sql.redaction.options.regex": f"(?i){'|'.join(SECRET_WORDS)}|url",
    "spark.sql.streaming.stateStore.providerClass": _STATE_STORE,
    "spark.sql.timeType.enabled": "true",
    f"{_ROCKSDB}.changelogCheckpointing.enabled": "true",
    # All stores of a process share one limit: else each operator, partition and kind of entry has
    # buffers of its own, and a larger plan more of them.
    f"{_ROCKSDB}.boundedMemoryUsage": "true",
}


def start_session(
    settings: Mapping[str, str],
    *,
    master: str,
    app_name: str,
    log_file: Path,
    archive_classes: bool = False,
    delta: bool = False,
) -> SparkSession:
    """A new session; `settings` are the script's, of which `spark.*` are passed on.

    With `archive_classes` what its JVM loads may be archived for later ones when it has ended. Only
    with `delta` it has tables at rest.
    """
    java = find_java()
    class_path = [*jars("spark"), *(jars("delta") if delta else ()), module_jar()]
    # Imported here: pyspark takes half a second that `check` and `--help` need not pay.
    import pyspark
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf(loadDefaults=False).setMaster(master).setAppName(app_name)
    archive = ClassArchive.of(f"{java} {pyspark.__file__} {pyspark.__version__}", class_path)
    # Elsewhere the driver may run on another machine, with other jars in its class path.
    local = master.startswith("local")
    flags = [*archive.flags(make=archive_classes), *_LATE_OPTIMIZATION] if local else []
    conf.setAll(_launch_settings(class_path, log_file, flags, local=local))
    conf.setAll(_delta_settings() if delta else [])
    conf.setAll([(key, value) for key, value in settings.items() if key.startswith("spark.")])
    log_file.parent.mkdir(parents=True, exist_ok=True)
    note_log(log_file)
    _quiet_python_logs()
    # PySpark's first call into Java imports pandas: while Java starts there is nothing else to do.
    threading.Thread(target=import_module, args=("pyspark.testing.utils",), daemon=True).start()
    try:
        gateway = _launched(conf, log_file, local=local)
        loads_from = getattr(gateway.jvm, "java.lang.System").getProperty("java.class.path")
        archive.make_after(gateway.proc.pid, java.path, loads_from)
        if local and not any(_CODEGEN in key for key in settings):
            getattr(gateway.jvm, "penstock.start.Warmup").begin()
        session = SparkSession(SparkContext(conf=conf, gateway=gateway))
        return prepare(session, settings, launched=True)
    except PenstockError:
        raise
    except Exception as error:
        raise RunError("SPARK_START_FAILED", reason=_reason(error), log_file=log_file) from error


def _launched(conf: SparkConf, log_file: Path, *, local: bool) -> Any:
    """Java's process, whose output goes to the log."""
    from pyspark.java_gateway import launch_gateway

    with log_file.open("ab") as log, _environment(_LOCAL_ENVIRONMENT if local else {}):
        # A session of its own: what is sent to our process group is ours to handle, not the JVM's.
        streams = {"stdout": log, "stderr": log, "start_new_session": True}
        return launch_gateway(_seen_by_all(conf), streams)  # type: ignore[no-untyped-call]


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """What Java's process is given beside ours; what the user has set stays."""
    added = {name: value for name, value in variables.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def _seen_by_all(conf: SparkConf) -> SparkConf:
    """What may stand in the command line of Java's process; passwords follow when it is there."""
    from pyspark import SparkConf

    shown = [(key, value) for key, value in conf.getAll() if not is_secret(key)]
    return SparkConf(loadDefaults=False).setAll(shown)


def prepare(
    session: SparkSession, settings: Mapping[str, str], *, launched: bool = False
) -> SparkSession:
    """Our functions and settings in a session of its own that shares the given one's context."""
    from penstock.spark.functions import register

    _quiet_python_logs()
    _require_jars(session)
    own = session.newSession()
    for key, value in session_settings(settings).items():
        _apply(own, key, value, launched=launched)
    register(own)
    java_class(own, "penstock.watermark.PartitionWatermarks").install(own._jsparkSession)
    java_class(own, "penstock.sources.CurrentFiles").install(own._jsparkSession)
    return own


def jvm_pid(session: SparkSession) -> int | None:
    """The process that this one started for Spark's driver, None if it found it running."""
    gateway: Any = session.sparkContext._gateway
    return int(gateway.proc.pid) if gateway.proc else None


def task_slots(session: SparkSession) -> int:
    """How many tasks can run at the same time."""
    return int(session.sparkContext.defaultParallelism)


@contextmanager
def active(session: SparkSession) -> Iterator[None]:
    """Make a session this thread's: Spark reads settings from it while it builds expressions."""
    sessions = java_class(session, "org.apache.spark.sql.SparkSession")
    before = sessions.getActiveSession()
    sessions.setActiveSession(session._jsparkSession)
    try:
        yield
    finally:
        if before.isDefined():
            sessions.setActiveSession(before.get())
        else:
            sessions.clearActiveSession()


def _apply(session: SparkSession, key: str, value: str, *, launched: bool) -> None:
    from pyspark.errors import AnalysisException, IllegalArgumentException

    try:
        session.conf.set(key, value)
    except (AnalysisException, IllegalArgumentException) as error:
        if isinstance(error, IllegalArgumentException):
            allowed = _reason(error)
            raise OptionError("INVALID_SETTING", key=key, value=value, expected=allowed) from error
        if not launched and session.conf.get(key, None) != value:
            allowed = "only what the session was started with, since Spark fixes it there"
            raise OptionError("INVALID_SETTING", key=key, value=value, expected=allowed) from error


def _reason(error: Exception) -> str:
    """The sentence of a Java or Python error that says what was wrong."""
    text = str(getattr(error, "java_exception", error))
    return text.strip().splitlines()[0].rpartition("Exception: ")[2] + " "


def _quiet_python_logs() -> None:
    """PySpark logs every failed query as JSON with its Java trace; we say it in a sentence."""
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def session_settings(settings: Mapping[str, str]) -> dict[str, str]:
    """What must be set on a running session, the script's own words last."""
    zone = settings.get(ZONE, "default")
    chosen = {} if zone == "default" else {SESSION_ZONE: zone}
    if memory := setting(settings, STATE_MEMORY):
        chosen[f"{_ROCKSDB}.maxMemoryUsageMB"] = str(memory)
    given = {key: value for key, value in settings.items() if key.startswith("spark.")}
    return {**SESSION_SETTINGS, **chosen, **given}


def _launch_settings(
    class_path: list[Path], log_file: Path, flags: list[str], *, local: bool
) -> list[tuple[str, str]]:
    settings = {
        "spark.ui.enabled": "false",
        # What it would show is kept all the same.
        "spark.sql.ui.retainedExecutions": "50",
        "spark.ui.retainedTasks": "1000",
        "spark.ui.showConsoleProgress": "false",
        # In percent of the memory: what Spark's parser has learnt of expressions grows with each
        # new one, without end.
        "spark.sql.parser.manageParserCaches": "true",
        "spark.sql.parser.parserDfaCacheFlushRatio": "10",
        "spark.sql.warehouse.dir": str(log_file.parent / "warehouse"),
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_LOG_CONFIG.as_uri()} "
        f"-Dpenstock.log={log_file} {' '.join(flags)}".rstrip(),
    }
    if local:
        settings |= {
            # Of what is on its class path Spark would load functions of its machine learning, with
            # Scala's reflection. Extensions that a user wants are named in `spark.sql.extensions`.
            "spark.sql.extensions.test.loadFromCp": "false",
            "spark.driver.extraClassPath": os.pathsep.join(map(str, class_path)),
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.shuffle.partitions": str(os.cpu_count() or 2),
            f"{_ROCKSDB}.maxMemoryUsageMB": str(default_state_memory_mb()),
        }
    else:
        settings["spark.jars"] = ",".join(map(str, class_path))
    return list(settings.items())


def _delta_settings() -> list[tuple[str, str]]:
    from penstock.spark import delta

    settings = delta.LAUNCH_SETTINGS | delta.LOG_SETTINGS | delta.SESSION_SETTINGS
    return list(settings.items())


def _require_jars(session: SparkSession) -> None:
    loader = java_class(session, "java.lang.Thread").currentThread().getContextClassLoader()
    for name in ("penstock.formats.Functions", "org.apache.spark.sql.kafka010.KafkaSourceProvider"):
        try:
            java_class(session, "java.lang.Class").forName(name, False, loader)
        except Exception as error:
            raise SetupError(
                "SESSION_LACKS_JARS", jars=",".join(str(p) for p in [*jars("spark"), module_jar()])
            ) from error


class BackgroundSession:
    """A session that starts in another thread while the script is read."""

    def __init__(self, settings: Mapping[str, str], **options: Any) -> None:
        self._result: SparkSession | None = None
        self._error: BaseException | None = None

        def start() -> None:
            try:
                self._result = start_session(settings, archive_classes=True, **options)
            except BaseException as error:
                self._error = error

        self._thread = threading.Thread(target=start, name="spark-start", daemon=True)
        self._thread.start()

    def get(self) -> SparkSession:
        """The session, or the error that prevented it."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._result is not None  # noqa: S101 — the thread sets one of the two
        return self._result
