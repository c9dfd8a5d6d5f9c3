"""Flink SQL for the benchmarks: a virtualenv of its own in Penstock's cache, never a dependency."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from pathlib import Path

from penstock.errors import SetupError
from penstock.jars.cache import cache_folder
from penstock.jars.fetch import jars
from penstock.jars.progress import Display

# The Flink that the connector in `ivy.xml` is made for.
VERSION = "2.2.1"
_IVY_FILE = Path(__file__).with_name("ivy.xml")
_DRIVER = Path(__file__).with_name("flink_job.py")


def prepare() -> str:
    """Install Flink unless it is there; why it cannot be, or nothing."""
    try:
        with Display("flink jars") as display:
            jars("flink", progress=display, ivy_file=_IVY_FILE)
        if not _stamp().is_file():
            _install()
    except SetupError as error:
        return f"{error.code}: {error}"
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        return str(said).strip().splitlines()[-1]
    return ""


def command(script: Path, variables: dict[str, str], settings: dict[str, str]) -> list[str]:
    """The command that runs a script to its end."""
    (jar,) = jars("flink", ivy_file=_IVY_FILE)
    words = [str(_python()), str(_DRIVER), str(script), str(jar)]
    words += [word for pair in variables.items() for word in ("--var", "=".join(pair))]
    return words + [word for pair in settings.items() for word in ("--set", "=".join(pair))]


def _install() -> None:
    folder = _stamp().parent
    print(f"• installing Flink {VERSION} for comparison (first time: minutes)", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    pip = [str(_python()), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"apache-flink=={VERSION}"], check=True, capture_output=True, text=True)
    _stamp().touch()


def _python() -> Path:
    return _stamp().with_name("bin") / "python"


def _stamp() -> Path:
    """The file that says the installation is whole."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return cache_folder() / f"flink-{VERSION}-python{python}" / "ready"
