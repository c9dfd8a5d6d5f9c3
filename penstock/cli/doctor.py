"""`penstock doctor`: what Penstock needs of this machine, what is there, and what to do."""

from __future__ import annotations

import shutil
import socket
import sys
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Literal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from penstock.errors import SetupError
from penstock.jars.artifacts import IVY_FILE, read_artifacts
from penstock.jars.cache import cache_folder
from penstock.jars.fetch import fetched
from penstock.jars.java import find_java
from penstock.jars.module import module_jar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PYTHON_NEEDED = (3, 10)

# The jars take 0.1 GB; the rest is room for topics, state and checkpoints.
_DISK_WANTED_GB = 1.0

State = Literal["ok", "warn", "fail"]

_STYLE: dict[State, str] = {"ok": "green", "warn": "yellow", "fail": "bold red"}


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the table; `fail` means that jobs cannot run."""

    name: str
    state: State
    detail: str
    remedy: str = ""


def run_doctor() -> int:
    """Print the table on stdout; the exit code, 3 if something needed is missing."""
    checks = tuple(run_checks())
    console = Console()
    console.print(_table(checks))
    failed = [check.name for check in checks if check.state == "fail"]
    if failed:
        console.print(f"Penstock cannot run jobs here: {', '.join(failed)}.", style="bold red")
        return SetupError.exit_code
    console.print("Penstock can run jobs here.")
    return 0


def run_checks() -> Iterator[Check]:
    """Every check, in the order of the table; none of them raises."""
    for name, check in _CHECKS:
        try:
            state, detail, remedy = check()
        except SetupError as error:
            state, detail, remedy = "fail", error.text, error.advice
        yield Check(name, state, detail, remedy)


def _table(checks: tuple[Check, ...]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("check", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("found, and what to do", overflow="fold")
    for check in checks:
        found = Text(check.detail)
        if check.remedy:
            found.append(f"\n→ {check.remedy}", style="italic")
        table.add_row(check.name, Text(check.state, style=_STYLE[check.state]), found)
    return table


Result = tuple[State, str, str]


def _java() -> Result:
    java = find_java()
    return "ok", f"Java {java.version}, {java.path}", ""


def _javac() -> Result:
    try:
        javac = find_java().javac
    except SetupError:
        javac = None
    if javac is None:
        return "warn", "none", "Needed only to build Penstock from source: install a JDK."
    return "ok", str(javac), ""


def _python() -> Result:
    found = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < PYTHON_NEEDED:
        needed = ".".join(map(str, PYTHON_NEEDED))
        return "fail", found, f"Install Python {needed} or newer."
    return "ok", f"Python {found}, {sys.executable}", ""


def _pyspark() -> Result:
    try:
        found = metadata.version("pyspark")
    except metadata.PackageNotFoundError:
        raise SetupError("PYSPARK_MISSING", python=sys.executable) from None
    connector = "spark-sql-kafka-0-10_2.13"
    pins = {pin.name: pin.revision for pin in read_artifacts(IVY_FILE, "spark")}
    if found != pins[connector]:
        return "warn", f"pyspark {found}", f"Tested with {pins[connector]}: install that one."
    return "ok", f"pyspark {found}", ""


def _spark_jars() -> Result:
    return _jars("spark")


def _delta_jars() -> Result:
    return _jars("delta")


def _broker_jars() -> Result:
    return _jars("broker")


def _jars(configuration: str) -> Result:
    paths = fetched(configuration)
    if paths is None:
        command = f"python -m penstock.jars fetch {configuration}"
        return "warn", "not fetched yet", f"Fetched when first needed; now: `{command}`."
    size = sum(path.stat().st_size for path in paths)
    return "ok", f"{len(paths)} jars, {size / 1e6:.0f} MB, {paths[0].parent}", ""


def _java_module() -> Result:
    return "ok", str(module_jar()), ""


def _disk() -> Result:
    cache = cache_folder()
    existing = next(folder for folder in (cache, *cache.parents) if folder.exists())
    free = shutil.disk_usage(existing).free / 1e9
    detail = f"{free:.1f} GB free for {cache}"
    if free < _DISK_WANTED_GB:
        return "warn", detail, "Free some space, or set PENSTOCK_CACHE to another disk."
    return "ok", detail, ""


def _loopback() -> Result:
    try:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
    except OSError as error:
        remedy = "Allow programs to listen on 127.0.0.1: Spark and the embedded broker do."
        return "fail", f"no port on 127.0.0.1: {error.strerror}", remedy
    return "ok", f"127.0.0.1:{port} is free, for instance", ""


def _broker() -> Result:
    from penstock.kafka.broker import status

    running = status()
    if running is None:
        return "ok", "not running; started by `penstock run --embedded`", ""
    return "ok", f"{running.address}, process {running.pid}, {running.directory}", ""


_CHECKS: tuple[tuple[str, Callable[[], Result]], ...] = (
    ("Java", _java),
    ("Java compiler", _javac),
    ("Python", _python),
    ("Spark", _pyspark),
    ("Spark's jars", _spark_jars),
    ("Delta's jars", _delta_jars),
    ("broker's jars", _broker_jars),
    ("Java module", _java_module),
    ("disk", _disk),
    ("loopback port", _loopback),
    ("embedded broker", _broker),
)
