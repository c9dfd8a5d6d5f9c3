"""A real Kerberos realm for one test run: a KDC in a child process, and keytabs of its members."""

from __future__ import annotations

import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.jars.fetch import jars
from penstock.jars.java import find_java

if TYPE_CHECKING:
    from collections.abc import Iterator

REALM = "PENSTOCK.TEST"
_PROGRAM = Path(__file__).with_name("Kdc.java")
_IVY_FILE = Path(__file__).with_name("ivy.xml")
_CONFIG = """\
[libdefaults]
  default_realm = {realm}
  udp_preference_limit = 1
  dns_lookup_kdc = false
  dns_canonicalize_hostname = false
[realms]
  {realm} = {{
    kdc = localhost:{port}
  }}
"""


@dataclass(frozen=True, slots=True)
class Realm:
    """Where its configuration is, and the keytabs."""

    folder: Path

    @property
    def config(self) -> Path:
        return self.folder / "krb5.conf"

    def keytab(self, name: str) -> Path:
        return self.folder / f"{name}.keytab"


@contextmanager
def running_realm(folder: Path) -> Iterator[Realm]:
    """A realm with the members `kafka/localhost` and `reader`."""
    class_path = ":".join(map(str, jars("kdc", ivy_file=_IVY_FILE)))
    members = (f"kafka/localhost@{REALM}", f"reader@{REALM}")
    quick = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
    command = [str(find_java().path), *quick, "-cp", class_path, str(_PROGRAM), str(folder), REALM]
    with subprocess.Popen(
        [*command, *members],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as kdc:
        assert kdc.stdin and kdc.stdout
        port = kdc.stdout.readline().strip()
        assert port.isdigit(), "the KDC did not start"
        realm = Realm(folder)
        realm.config.write_text(_CONFIG.format(realm=REALM, port=port))
        yield realm
        kdc.stdin.close()
