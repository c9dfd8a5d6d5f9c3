"""Fetching jars: once, whole, also where it is broken off, killed or cut off by the network."""

from __future__ import annotations

import fcntl
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from penstock.errors import SetupError
from penstock.jars.fetch import fetched, jars

from .maven import ALPHA, ARTIFACTS, BETA, GAMMA, PATIENCE_S, Repository, jar_bytes

if TYPE_CHECKING:
    from pathlib import Path

ALL = [artifact.file_name for artifact in ARTIFACTS]

CHILD = """
import sys
from pathlib import Path
from penstock.jars.fetch import jars
try:
    jars("spark", ivy_file=Path(sys.argv[1]))
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "maven (mirror)")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "my [cache]"
    monkeypatch.setenv("PENSTOCK_CACHE", str(folder))
    return folder


@pytest.fixture
def ivy_file(tmp_path: Path) -> Path:
    lines = "".join(
        f'<dependency org="{one.organisation}" name="{one.name}" rev="{one.revision}"'
        ' conf="spark" transitive="false"/>'
        for one in ARTIFACTS
    )
    path = tmp_path / "ivy.xml"
    path.write_text(
        '<ivy-module version="2.0"><info organisation="penstock" module="test"/>'
        '<configurations><conf name="spark"/></configurations>'
        f'<dependencies defaultconfmapping="*->default">{lines}</dependencies></ivy-module>'
    )
    return path


def use(monkeypatch: pytest.MonkeyPatch, repository: str) -> None:
    monkeypatch.setenv("PENSTOCK_MAVEN_REPOSITORY", repository)


def start_child(ivy_file: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", CHILD, str(ivy_file)])


def names(paths: tuple[Path, ...]) -> list[str]:
    return [path.name for path in paths]


def is_locked(cache: Path) -> bool:
    with (cache / "lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


@pytest.mark.spark
@pytest.mark.parametrize("form", ["path", "url"])
def test_fetched_from_a_folder_then_found_without_java(
    repository: Repository,
    cache: Path,
    ivy_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
) -> None:
    folder = repository.folder
    use(monkeypatch, str(folder) if form == "path" else folder.as_uri())
    steps: list[tuple[int, int, str]] = []
    assert fetched("spark", ivy_file=ivy_file) is None
    paths = jars("spark", ivy_file=ivy_file, progress=lambda *step: steps.append(step))
    assert names(paths) == ALL
    assert paths[0].read_bytes() == jar_bytes(ALPHA)
    assert steps[-3:] == [(1, 3, "alpha"), (2, 3, "beta"), (3, 3, "gamma")]
    assert list((cache / "jars").iterdir()) == [paths[0].parent]

    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    use(monkeypatch, "http://127.0.0.1:1")
    before = time.perf_counter()
    assert jars("spark", ivy_file=ivy_file) == paths
    assert time.perf_counter() - before < 0.1

    other_pin = ivy_file.read_text().replace('name="beta" rev="1.0"', 'name="beta" rev="2.0"')
    ivy_file.write_text(other_pin)
    assert fetched("spark", ivy_file=ivy_file) is None


@pytest.mark.spark
def test_two_processes_at_once_fetch_once(
    repository: Repository, cache: Path, ivy_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with repository.served() as url:
        use(monkeypatch, url)
        children = [start_child(ivy_file), start_child(ivy_file)]
        assert [child.wait(PATIENCE_S) for child in children] == [0, 0]
    assert fetched("spark", ivy_file=ivy_file) is not None
    assert [name for name in repository.asked if name.endswith(".jar")] == ALL


@pytest.mark.spark
def test_killed_fetch_leaves_nothing_broken_and_is_resumed(
    repository: Repository, cache: Path, ivy_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.stall_at = BETA.file_name
    with repository.served() as url:
        use(monkeypatch, url)
        child = start_child(ivy_file)
        assert repository.stalled.wait(PATIENCE_S)
        child.send_signal(signal.SIGKILL)
        child.wait(PATIENCE_S)
        assert fetched("spark", ivy_file=ivy_file) is None
        assert len(list((cache / "jars").glob(".partial-*"))) == 1
        assert is_locked(cache), "the Java of the killed fetch is still writing"

        repository.go_on.set()
        paths = jars("spark", ivy_file=ivy_file)
    assert names(paths) == ALL
    assert list((cache / "jars").iterdir()) == [paths[0].parent], "the leftover is removed"
    assert repository.asked.count(ALPHA.file_name) == 1, "what was there is not fetched again"


@pytest.mark.spark
def test_interrupted_fetch_ends_its_java(
    repository: Repository, cache: Path, ivy_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.stall_at = BETA.file_name
    with repository.served() as url:
        use(monkeypatch, url)
        child = start_child(ivy_file)
        assert repository.stalled.wait(PATIENCE_S)
        child.send_signal(signal.SIGINT)
        assert child.wait(PATIENCE_S) == 130
        assert not is_locked(cache)
        assert list((cache / "jars").iterdir()) == []


@pytest.mark.spark
def test_a_failure_on_the_way_is_tried_again(
    repository: Repository, cache: Path, ivy_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.fail_once_at = BETA.file_name
    with repository.served() as url:
        use(monkeypatch, url)
        assert names(jars("spark", ivy_file=ivy_file)) == ALL
    assert repository.asked.count(BETA.file_name) == 2
    assert repository.asked.count(ALPHA.file_name) == 1


@pytest.mark.spark
def test_missing_artifact_is_named(
    repository: Repository, cache: Path, ivy_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.path(BETA).unlink()
    with repository.served() as url:
        use(monkeypatch, url)
        with pytest.raises(SetupError) as raised:
            jars("spark", ivy_file=ivy_file)
    assert raised.value.code == "ARTIFACT_MISSING"
    assert raised.value.text == (
        f"{url.rstrip('/')} does not give out org.example:beta:1.0: it answers 'File not found'."
    )
    assert str(raised.value).endswith(f"The log is {cache / 'fetch-spark.log'}.")
    assert "module not found" in (cache / "fetch-spark.log").read_text()
    assert list((cache / "jars").iterdir()) == []


@pytest.mark.spark
@pytest.mark.parametrize(
    ("host", "reason"),
    [("127.0.0.1:1", "Connection refused"), ("maven.invalid", "Host maven.invalid not found")],
)
def test_unreachable_repository(
    cache: Path, ivy_file: Path, monkeypatch: pytest.MonkeyPatch, host: str, reason: str
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    use(monkeypatch, f"http://me:secret@{host}/maven")
    with pytest.raises(SetupError) as raised:
        jars("spark", ivy_file=ivy_file)
    assert raised.value.code == "JARS_UNREACHABLE"
    expected = f"org.example:alpha:1.0 could not be fetched from http://{host}/maven: {reason}."
    assert raised.value.text == expected


@pytest.mark.spark
def test_broken_jar_in_ivys_cache_is_fetched_anew(
    repository: Repository, cache: Path, ivy_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, str(repository.folder))
    (ready,) = {path.parent for path in jars("spark", ivy_file=ivy_file)}
    (cached,) = (cache / "ivy").rglob(BETA.file_name)
    cached.write_bytes(jar_bytes(BETA)[:-10])
    (ready / BETA.file_name).unlink()

    paths = jars("spark", ivy_file=ivy_file)
    assert (ready / BETA.file_name) in paths
    assert (ready / BETA.file_name).read_bytes() == jar_bytes(BETA)


@pytest.mark.spark
@pytest.mark.parametrize(
    ("content", "sha1", "reason"),
    [
        (b"<html>log in first</html>", None, "it is not a readable jar file"),
        (b"PK", "0" * 40, "invalid sha1"),
    ],
)
def test_broken_jar_in_the_repository(
    repository: Repository,
    cache: Path,
    ivy_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: bytes,
    sha1: str | None,
    reason: str,
) -> None:
    repository.put(GAMMA, content, sha1=sha1)
    use(monkeypatch, str(repository.folder))
    with pytest.raises(SetupError) as raised:
        jars("spark", ivy_file=ivy_file)
    assert raised.value.code == "ARTIFACT_BROKEN"
    assert f"gave out a broken org.example:gamma:1.0: {reason}" in str(raised.value)
    assert fetched("spark", ivy_file=ivy_file) is None


@pytest.mark.spark
def test_the_proxy_of_the_environment_is_used(
    repository: Repository, cache: Path, ivy_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with repository.served() as proxy:
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.setenv("no_proxy", ".example.com")
        use(monkeypatch, "http://maven.invalid/")
        assert names(jars("spark", ivy_file=ivy_file)) == ALL


def test_a_cache_that_cannot_be_written(
    tmp_path: Path, ivy_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocker = tmp_path / "file"
    blocker.touch()
    monkeypatch.setenv("PENSTOCK_CACHE", str(blocker / "cache"))
    with pytest.raises(SetupError) as raised:
        jars("spark", ivy_file=ivy_file)
    assert raised.value.code == "CACHE_UNUSABLE"
    assert "Set PENSTOCK_CACHE" in str(raised.value)
