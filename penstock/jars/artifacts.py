"""The jars a configuration needs, as `ivy.xml` pins them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

IVY_FILE = Path(__file__).with_name("ivy.xml")

CONFIGURATIONS = ("spark", "delta", "broker")


@dataclass(frozen=True, slots=True)
class Artifact:
    """One jar of a Maven repository, or a file that is a zip as jars are."""

    organisation: str
    name: str
    revision: str
    extension: str = "jar"

    def __str__(self) -> str:
        return f"{self.organisation}:{self.name}:{self.revision}"

    @property
    def file_name(self) -> str:
        """The name of the jar on disk."""
        return f"{self.name}-{self.revision}.{self.extension}"


def read_artifacts(ivy_file: Path, configuration: str) -> tuple[Artifact, ...]:
    """The pinned jars of one configuration, in the order of the file."""
    dependencies = ElementTree.parse(ivy_file).iter("dependency")  # noqa: S314 - our own file
    return tuple(
        Artifact(entry.attrib["org"], entry.attrib["name"], entry.attrib["rev"], _extension(entry))
        for entry in dependencies
        if entry.attrib["conf"] == configuration
    )


def _extension(entry: ElementTree.Element) -> str:
    chosen = entry.find("artifact")
    return "jar" if chosen is None else chosen.attrib["ext"]


def fingerprint(artifacts: tuple[Artifact, ...]) -> str:
    """A short hash that changes when a pin does."""
    lines = "\n".join(sorted(str(artifact) for artifact in artifacts))
    return hashlib.sha256(lines.encode()).hexdigest()[:12]
