"""The jars of a configuration on this machine, fetched the first time and found after that.

Called by whatever starts a JVM: the SparkSession (`spark`), the embedded broker (`broker`), and
`python -m penstock.jars fetch`.
"""

from __future__ import annotations

import os
import shutil
import zipfile
import zlib
from typing import TYPE_CHECKING

from penstock.errors import SetupError
from penstock.jars.artifacts import IVY_FILE, Artifact, fingerprint, read_artifacts
from penstock.jars.cache import cache_folder, exclusive, make_partial, publish, ready_folder
from penstock.jars.ivy import Retrieval, retrieve
from penstock.jars.ivy_output import without_password
from penstock.jars.progress import Progress, silent

if TYPE_CHECKING:
    from pathlib import Path

# A jar that is broken again after it was fetched anew is broken where it comes from.
_RUNS = 2


def jars(
    configuration: str, *, progress: Progress = silent, ivy_file: Path = IVY_FILE
) -> tuple[Path, ...]:
    """The paths of all jars of the configuration; takes milliseconds once they were fetched."""
    ready = fetched(configuration, ivy_file=ivy_file)
    if ready is not None:
        return ready
    artifacts = read_artifacts(ivy_file, configuration)

    def waiting() -> None:
        progress(0, len(artifacts), "(another process is fetching)")

    with exclusive(cache_folder(), waiting=waiting) as descriptor:
        ready = fetched(configuration, ivy_file=ivy_file)
        if ready is None:
            _fetch(configuration, ivy_file=ivy_file, progress=progress, keep_open=descriptor)
            ready = fetched(configuration, ivy_file=ivy_file)
    assert ready is not None  # noqa: S101 - published just now
    return ready


def fetched(configuration: str, *, ivy_file: Path = IVY_FILE) -> tuple[Path, ...] | None:
    """The paths if all jars are here, else None; never fetches."""
    artifacts = read_artifacts(ivy_file, configuration)
    folder = _ready_folder(configuration, artifacts)
    paths = tuple(folder / artifact.file_name for artifact in artifacts)
    return paths if all(path.is_file() for path in paths) else None


def _ready_folder(configuration: str, artifacts: tuple[Artifact, ...]) -> Path:
    return ready_folder(cache_folder(), f"{configuration}-{fingerprint(artifacts)}")


def _fetch(configuration: str, *, ivy_file: Path, progress: Progress, keep_open: int) -> None:
    """Fetch into a folder of its own, and show it under its name once it is whole.

    1. A new partial folder     killed after it: the folder is removed by the next fetch
    2. Ivy fills it             killed after it: as above; Ivy's cache has what was fetched
    3. Every jar is checked     a broken one leaves Ivy's cache and is fetched again
    4. One rename               killed after it: the jars are ready
    """
    cache = cache_folder()
    artifacts = read_artifacts(ivy_file, configuration)
    retrieval = Retrieval(
        ivy_file=ivy_file,
        configuration=configuration,
        artifacts=artifacts,
        cache=cache / "ivy",
        target=make_partial(cache),
        log=cache / f"fetch-{configuration}.log",
    )
    try:
        _retrieve_whole(retrieval, progress=progress, keep_open=keep_open)
        publish(retrieval.target, _ready_folder(configuration, artifacts))
    finally:
        shutil.rmtree(retrieval.target, ignore_errors=True)


def _retrieve_whole(retrieval: Retrieval, *, progress: Progress, keep_open: int) -> None:
    broken: tuple[Artifact, ...] = ()
    for _ in range(_RUNS):
        _retrieve_persistently(retrieval, progress=progress, keep_open=keep_open)
        broken = tuple(one for one in retrieval.artifacts if _is_broken(retrieval, one))
        if not broken:
            return
        for artifact in broken:
            _discard(retrieval, artifact)
    repository = os.environ.get("PENSTOCK_MAVEN_REPOSITORY", "The Maven repository")
    raise SetupError(
        "ARTIFACT_BROKEN",
        repository=without_password(repository),
        artifact=broken[0],
        reason="it is not a readable jar file",
        log=retrieval.log,
    )


def _retrieve_persistently(retrieval: Retrieval, *, progress: Progress, keep_open: int) -> None:
    """Retrieve, again and again as long as each run that is cut off brings at least one jar."""
    while True:
        before = _jars_under(retrieval.cache)
        try:
            return retrieve(retrieval, progress=progress, keep_open=keep_open)
        except SetupError as error:
            if error.code != "JARS_UNREACHABLE" or _jars_under(retrieval.cache) == before:
                raise


def _jars_under(folder: Path) -> int:
    return sum(1 for _ in folder.rglob("*.jar"))


def _is_broken(retrieval: Retrieval, artifact: Artifact) -> bool:
    try:
        with zipfile.ZipFile(retrieval.target / artifact.file_name) as jar:
            return jar.testzip() is not None
    except (FileNotFoundError, zipfile.BadZipFile, zlib.error):
        return True


def _discard(retrieval: Retrieval, artifact: Artifact) -> None:
    """From both folders: Ivy does not replace a file that is newer than its own."""
    module = retrieval.cache / artifact.organisation / artifact.name
    shutil.rmtree(module, ignore_errors=True)
    (retrieval.target / artifact.file_name).unlink(missing_ok=True)
