"""The child process that asks Kafka with its Java client: `penstock.kafka.admin.AdminServer`.

Opened by `java_admin.py`. Questions and answers are JSON lines over its standard input and output;
the process ends with that input, and so with this one, however it ends.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import subprocess
import threading
from collections import deque
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import IO, TYPE_CHECKING

from penstock.errors import KafkaError
from penstock.kafka.failure import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAIN = "penstock.kafka.admin.AdminServer"
# What the client needs of the jars that pyspark brings along.
_LIBRARIES = ("jackson-annotations", "jackson-core", "jackson-databind", "slf4j-api")

# Half a second of CPU is all it uses: no time for the optimising compiler, little memory.
_FLAGS = ("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
# No binding for its log is there on purpose: nothing it is told may be written anywhere.
_QUIET = "-Dslf4j.internal.verbosity=ERROR"

# A loaded machine takes so long to start a JVM and to log in; the request's own time is on top.
_GRACE_S = 20.0
_END_TIMEOUT_S = 5.0
_LAST_LINES = 50


class ClientFault(Exception):
    """What the Java client reported."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.name)
        self.fault = fault


class JavaProcess:
    """One running child; several threads may ask at the same time."""

    def __init__(self, krb5_conf: str | None) -> None:
        self._numbers = itertools.count()
        self._waiting: dict[int, Future[object]] = {}
        self._lock = threading.Lock()
        # A session of its own: Ctrl-C is for us, and we may still have offsets to commit.
        self._process = subprocess.Popen(
            _command(krb5_conf),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        atexit.register(self.end)
        self._said: deque[bytes] = deque(maxlen=_LAST_LINES)
        self._complaints = threading.Thread(target=self._overhear, name="kafka-admin-err")
        for thread in (self._complaints, threading.Thread(target=self._listen, name="kafka-admin")):
            thread.daemon = True
            thread.start()

    def ask(self, question: str, timeout_s: float, facts: Mapping[str, object]) -> object:
        """The answer as JSON has it; `ClientFault` if the client reports one, else TimeoutError."""
        answer: Future[object] = Future()
        number = next(self._numbers)
        timeout_ms = int(timeout_s * 1000)
        line = {"id": number, "question": question, "timeout_ms": timeout_ms, **facts}
        with self._lock:
            self._waiting[number] = answer
            self._send(line)
        try:
            return answer.result(timeout_s + _GRACE_S)
        except FutureTimeoutError:
            raise TimeoutError from None
        finally:
            self._waiting.pop(number, None)

    def has_ended(self) -> bool:
        """Whether nobody answers any more."""
        return self._process.poll() is not None

    def end(self) -> None:
        """Close the line, which ends the child."""
        atexit.unregister(self.end)
        _stream(self._process.stdin).close()
        try:
            self._process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _send(self, line: Mapping[str, object]) -> None:
        stream = _stream(self._process.stdin)
        try:
            stream.write(json.dumps(line).encode() + b"\n")
            stream.flush()
        except (OSError, ValueError):
            raise self._lost() from None

    def _listen(self) -> None:
        with _stream(self._process.stdout) as answers:
            for line in answers:
                if line.startswith(b"{"):
                    self._hand_over(json.loads(line))
        with self._lock:
            for answer in list(self._waiting.values()):
                answer.set_exception(self._lost())

    def _overhear(self) -> None:
        """Read what it says beside its answers: it would stop when nobody did."""
        with _stream(self._process.stderr) as complaints:
            self._said.extend(complaints)

    def _hand_over(self, said: dict[str, object]) -> None:
        answer = self._waiting.get(int(str(said["id"])))
        if answer is None:
            return
        fault = said.get("fault")
        if isinstance(fault, dict):
            answer.set_exception(ClientFault(Fault(fault["name"], fault["text"])))
        else:
            answer.set_result(said["answer"])

    def _lost(self) -> KafkaError:
        self._complaints.join(_END_TIMEOUT_S)
        said = b"".join(self._said).decode(errors="replace")
        first_line = said.strip().partition("\n")[0]
        reason = first_line or f"it said nothing and ended with {self._process.wait()}"
        return KafkaError("KAFKA_CLIENT_LOST", reason=reason)


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # noqa: S101 — all three are pipes
    return stream


def _command(krb5_conf: str | None) -> list[str]:
    from penstock.jars.fetch import jars
    from penstock.jars.java import find_java
    from penstock.jars.module import module_jar
    from penstock.jars.pyspark_jars import pyspark_jar

    libraries = [pyspark_jar(f"{name}-[0-9]*.jar") for name in _LIBRARIES]
    # Where Spark, too, looks for classes that its jars do not have, such as login modules.
    others = os.environ.get("SPARK_DIST_CLASSPATH")
    places = [module_jar(), *jars("spark"), *libraries, *([others] if others else [])]
    kerberos = [f"-Djava.security.krb5.conf={krb5_conf}"] if krb5_conf else []
    class_path = os.pathsep.join(map(str, places))
    return [str(find_java().path), *_FLAGS, _QUIET, *kerberos, "-cp", class_path, _MAIN]
