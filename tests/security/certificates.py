"""Certificates of one test run: an authority, its server and client, and some that are bad."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from penstock.jars.java import find_java

PASSWORD = "store-hunter2"
_PROGRAM = Path(__file__).with_name("Certificates.java")
_EXPORTS = ("--add-exports", "java.base/sun.security.tools.keytool=ALL-UNNAMED")
# Over before the optimising compiler would pay.
_QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
_NAMES = "san=ip:127.0.0.1,dns:localhost"


@dataclass(frozen=True, slots=True)
class Certificates:
    """The folder with `trust.{jks,p12,pem}` and, of server, client and the bad, a key store."""

    folder: Path

    def trust(self, kind: str = "jks") -> Path:
        return self.folder / f"trust.{kind}"

    def store(self, name: str, kind: str = "p12") -> Path:
        return self.folder / f"{name}.{kind}"


def make_certificates(folder: Path) -> Certificates:
    """One JVM makes them all: keytool itself takes a second for each step."""
    certificates = Certificates(folder)
    steps = [
        *_authority(folder, "authority"),
        *_authority(folder, "stranger"),
        *_signed(folder, "server", by="authority"),
        *_signed(folder, "client", by="authority"),
        *_signed(folder, "expired", by="authority", valid=("-startdate", "-9d", "-validity", "3")),
        *_signed(folder, "foreign", by="stranger"),
        *(_trusting(folder, kind) for kind in ("jks", "p12")),
        _to_jks(folder, "client"),
        ("-exportkey", str(folder / "client.p12"), PASSWORD, "client", str(folder / "client.pem")),
    ]
    lines = "".join("\t".join(step) + "\n" for step in steps)
    command = [str(find_java().path), *_QUICK, *_EXPORTS, str(_PROGRAM)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "trust.pem").write_text((folder / "authority.pem").read_text())
    return certificates


def _keys(folder: Path, name: str) -> tuple[str, ...]:
    return ("-keystore", str(folder / f"{name}.p12"), "-storepass", PASSWORD, "-alias", name)


def _authority(folder: Path, name: str) -> list[tuple[str, ...]]:
    made = ("-genkeypair", *_keys(folder, name), "-keyalg", "EC", "-dname", f"CN={name}")
    pem = str(folder / f"{name}.pem")
    return [
        (*made, "-ext", "bc:c", "-startdate", "-10d", "-validity", "40"),
        ("-exportcert", *_keys(folder, name), "-rfc", "-file", pem),
    ]


def _signed(
    folder: Path, name: str, *, by: str, valid: tuple[str, ...] = ("-validity", "20")
) -> list[tuple[str, ...]]:
    request, signed = str(folder / f"{name}.csr"), str(folder / f"{name}.cer")
    keys, authority = _keys(folder, name), (*_keys(folder, name)[:-1], by)
    return [
        ("-genkeypair", *keys, "-keyalg", "EC", "-dname", f"CN={name}", "-validity", "20"),
        ("-certreq", *keys, "-file", request),
        (
            *("-gencert", *_keys(folder, by), "-infile", request, "-outfile", signed),
            *("-ext", _NAMES, *valid),
        ),
        ("-importcert", *authority, "-noprompt", "-file", str(folder / f"{by}.pem")),
        ("-importcert", *keys, "-noprompt", "-file", signed),
    ]


def _trusting(folder: Path, kind: str) -> tuple[str, ...]:
    store = ("-keystore", str(folder / f"trust.{kind}"), "-storepass", PASSWORD)
    types = {"jks": "JKS", "p12": "PKCS12"}
    file = str(folder / "authority.pem")
    return ("-importcert", *store, "-storetype", types[kind], "-noprompt", "-file", file)


def _to_jks(folder: Path, name: str) -> tuple[str, ...]:
    return (
        *("-importkeystore", "-srckeystore", str(folder / f"{name}.p12"), "-srcalias", name),
        *("-srcstorepass", PASSWORD, "-destkeystore", str(folder / f"{name}.jks")),
        *("-deststoretype", "JKS", "-deststorepass", PASSWORD, "-destkeypass", PASSWORD),
    )
