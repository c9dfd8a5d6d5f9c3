"""Scripts of `filesystem` tables over the folders `<in>` and `<out>` of a test."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from penstock import Session
from penstock.plan.script import plan_script
from penstock.sql.parse import parse

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from penstock.connectors.filesystem import FilesystemTarget
    from penstock.runtime.job import Job


class Folder:
    """Scripts over folders of one test."""

    def __init__(self, spark: SparkSession, path: Path) -> None:
        self.path = path
        self.session = Session(spark, state_dir=path / "state", bindings={})

    def execute(self, text: str, **options: object) -> Job:
        for name in ("in", "out"):
            text = text.replace(f"<{name}>", str(self.path / name))
        return self.session.execute(text, **options)  # type: ignore[arg-type]

    def run(self, text: str, **options: object) -> None:
        assert self.execute(text, **options).wait(120)

    def write(self, name: str, *lines: str) -> None:
        file = self.path / "in" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{line}\n" for line in lines))

    def lines(self, below: str = "") -> list[str]:
        """The lines of all files a reader sees."""
        return sorted(line for file in self._seen(below) for line in file.read_text().splitlines())

    def visible(self) -> list[str]:
        """The folders of all files a reader sees."""
        return sorted(str(f.parent.relative_to(self.path / "out")) for f in self._seen(""))

    def _seen(self, below: str) -> list[Path]:
        """Every file, hidden names passed over, as any reader does."""
        found = []
        for root, folders, files in os.walk(self.path / "out" / below):
            folders[:] = [name for name in folders if not name.startswith((".", "_"))]
            found += [Path(root, name) for name in files if not name.startswith((".", "_"))]
        return found


COPY = """
CREATE TABLE source ({columns}) {partitions} WITH (
  'connector' = 'filesystem', 'path' = '<in>', 'format' = '{format}'{options}
);
CREATE TABLE sink ({columns}) {partitions} WITH (
  'connector' = 'filesystem', 'path' = '<out>', 'format' = '{format}'{options}
);
INSERT INTO sink SELECT * FROM source;
"""


def copy(columns: str, *, format: str = "json", partitions: str = "", options: str = "") -> str:
    return COPY.format(columns=columns, format=format, partitions=partitions, options=options)


def target_of(options: str) -> FilesystemTarget:
    """What a sink with these options is planned as."""
    (query,) = plan_script(
        parse(
            "CREATE TABLE g (v STRING) WITH ('connector' = 'datagen');"
            f"CREATE TABLE f (v STRING, k STRING) PARTITIONED BY (k) WITH ("
            f"'connector' = 'filesystem', 'format' = 'csv', {options});"
            "INSERT INTO f SELECT v, v FROM g;"
        ),
        name="t",
    ).queries
    return query.spec.target  # type: ignore[return-value]
