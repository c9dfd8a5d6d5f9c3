"""The embedded broker: a real Kafka in a process of its own, on the loopback address.

`start` gives the address of a broker that answers, `stop` ends it, `status` looks. A folder is a
broker: its data, its log, its port and its process id are there, and stay there between runs.
Called by the command line, by `penstock run --embedded`, and by tests.
"""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from penstock.errors import KafkaError
from penstock.jars.progress import Progress, silent
from penstock.kafka import watchdog
from penstock.kafka.broker_config import (
    CONSOLE_FILE,
    DATA_FOLDER,
    LOG_FILE,
    format_command,
    server_command,
    write_config,
)
from penstock.kafka.broker_log import last_problem, log_size
from penstock.kafka.broker_ports import choose_port, free_port
from penstock.kafka.broker_process import end, is_broker
from penstock.kafka.watchdog import (
    OWNERS_FILE,
    STATE_FILE,
    locked,
    read_owners,
    write_atomically,
)

# 3 s on an idle machine; a loaded one, or the recovery of logs after a crash, takes longer.
_START_TIMEOUT_S = 90.0

_POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class BrokerStatus:
    """A broker that runs."""

    address: str
    pid: int
    directory: Path
    log_file: Path
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Extras:
    """What a broker has beyond ours: more settings (listeners are added to ours), flags of Java."""

    settings: tuple[tuple[str, str], ...] = ()
    java_flags: tuple[str, ...] = ()


def default_directory() -> Path:
    """`$PENSTOCK_BROKER_DIR`, else `penstock/broker` in the user's state folder."""
    if chosen := os.environ.get("PENSTOCK_BROKER_DIR"):
        return Path(chosen)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state, "penstock", "broker")


def start(
    directory: Path | None = None,
    *,
    port: int | None = None,
    owner_pid: int | None = None,
    extras: Extras = Extras(),  # noqa: B008 — it cannot change
    progress: Progress = silent,
) -> BrokerStatus:
    """The broker of this folder, ready to be used; started unless it runs already.

    With `owner_pid` it ends when that process does (or the last of several owners); without, it
    lives until `stop`, also if it had owners before. `extras` count for a broker that is started
    now. `progress` follows the fetching of its jars.
    """
    folder = _folder(directory)
    _make(folder)
    with locked(folder):
        running = status(folder)
        if running is None:
            return _start(folder, extras, port=port, owner_pid=owner_pid, progress=progress)
        if port is not None and running.address != _address(port):
            address = running.address
            raise KafkaError(
                "BROKER_RUNNING_ELSEWHERE", directory=folder, address=address, port=port
            )
        _share(folder, owner_pid)
        _await_ready(running, log_from=log_size(folder))
        return running


def stop(directory: Path | None = None) -> bool:
    """End the broker of this folder; False if it was not running."""
    folder = _folder(directory)
    if status(folder) is None:
        return False
    with locked(folder):
        running = status(folder)
        if running is not None:
            _end(running)
        return running is not None


def status(directory: Path | None = None) -> BrokerStatus | None:
    """The broker of this folder if its process is there; a stale record of one is no broker."""
    folder = _folder(directory)
    last = _last_run(folder)
    return last if last and is_broker(last.pid, folder) else None


def _last_run(folder: Path) -> BrokerStatus | None:
    try:
        state = json.loads((folder / STATE_FILE).read_text())
        return BrokerStatus(
            address=_address(state["port"]),
            pid=state["pid"],
            directory=folder,
            log_file=folder / LOG_FILE,
            started_at=datetime.fromtimestamp(state["started_at"], tz=timezone.utc),
        )
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None


def _folder(directory: Path | None) -> Path:
    return (directory or default_directory()).expanduser().resolve()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / watchdog.LOCK_FILE).touch()
    except OSError as error:
        reason = error.strerror
        raise KafkaError("BROKER_FOLDER_UNUSABLE", directory=folder, reason=reason) from error


def _address(port: int) -> str:
    return f"127.0.0.1:{port}"


def _start(
    folder: Path, extras: Extras, *, port: int | None, owner_pid: int | None, progress: Progress
) -> BrokerStatus:
    from penstock.jars.fetch import jars
    from penstock.jars.java import find_java

    chosen_port = choose_port(port, remembered=_remembered_port(folder))
    java, classpath = find_java().path, jars("broker", progress=progress)
    write_config(
        folder,
        port=chosen_port,
        controller_port=free_port(other_than=chosen_port),
        settings=dict(extras.settings),
    )
    if not (folder / DATA_FOLDER / "meta.properties").exists():
        _format(folder, format_command(_new_cluster_id(), java=java, jars=classpath))
    _set_owner(folder, owner_pid)
    log_from = log_size(folder)
    command = server_command(folder, java=java, jars=classpath, flags=extras.java_flags)
    _launch(folder, command, port=chosen_port)
    return _settled(folder, log_from=log_from)


def _settled(folder: Path, *, log_from: int) -> BrokerStatus:
    launched = status(folder)
    if launched is None:
        raise _failure(folder, last_problem(folder, since=log_from))
    try:
        _await_ready(launched, log_from=log_from)
    except BaseException:
        _end(launched)
        raise
    return launched


def _remembered_port(folder: Path) -> int | None:
    last = _last_run(folder)
    return int(last.address.rpartition(":")[2]) if last else None


def _new_cluster_id() -> str:
    return base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")


def _format(folder: Path, command: list[str]) -> None:
    done = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    (folder / CONSOLE_FILE).write_text(done.stdout + done.stderr)
    if done.returncode != 0:
        raise _failure(folder, last_problem(folder, since=log_size(folder)))


def _launch(folder: Path, command: list[str], *, port: int) -> None:
    # -I and -S: the watchdog starts in milliseconds, whatever the environment says.
    program = [sys.executable, "-I", "-S", watchdog.__file__, str(folder), str(port)]
    with (folder / CONSOLE_FILE).open("wb") as console:
        subprocess.run(
            [*program, *command], stdin=subprocess.DEVNULL, stdout=console, stderr=console
        )


def _set_owner(folder: Path, owner_pid: int | None) -> None:
    if owner_pid is None:
        (folder / OWNERS_FILE).unlink(missing_ok=True)
    else:
        write_atomically(folder / OWNERS_FILE, f"{owner_pid}\n")


def _share(folder: Path, owner_pid: int | None) -> None:
    """One more owner for a running broker; one that lives until it is stopped stays so."""
    owners = read_owners(folder)
    if owners is None or owner_pid is None:
        _set_owner(folder, None)
    else:
        everyone = dict.fromkeys((*owners, owner_pid))
        write_atomically(folder / OWNERS_FILE, "".join(f"{pid}\n" for pid in everyone))


def _await_ready(running: BrokerStatus, *, log_from: int) -> None:
    """Return once the broker has answered a metadata request, as a client would send it."""
    folder = running.directory
    cluster_id = _cluster_id(folder)
    deadline = time.monotonic() + _START_TIMEOUT_S
    while not (_is_listening(running.address) and _answers(running.address, cluster_id)):
        if not is_broker(running.pid, folder):
            raise _failure(folder, last_problem(folder, since=log_from))
        if time.monotonic() > deadline:
            raise _failure(folder, f"it gave no answer within {_START_TIMEOUT_S:g} s.")
        time.sleep(_POLL_S)


def _cluster_id(folder: Path) -> str:
    lines = (folder / DATA_FOLDER / "meta.properties").read_text().splitlines()
    return next(line.removeprefix("cluster.id=") for line in lines if line.startswith("cluster.id"))


def _is_listening(address: str) -> bool:
    host, port = address.split(":")
    try:
        socket.create_connection((host, int(port)), timeout=1).close()
    except OSError:
        return False
    return True


def _answers(address: str, cluster_id: str) -> bool:
    from penstock.kafka.admin import cluster_id as ask_cluster_id

    return ask_cluster_id({"bootstrap.servers": address}, timeout_s=1) == cluster_id


def _end(running: BrokerStatus) -> None:
    if not end(running.pid, running.directory):
        raise KafkaError(
            "BROKER_WILL_NOT_STOP",
            directory=running.directory,
            pid=running.pid,
            log=running.log_file,
        )


def _failure(folder: Path, reason: str) -> KafkaError:
    return KafkaError("BROKER_FAILED", directory=folder, reason=reason, log=folder / LOG_FILE)
