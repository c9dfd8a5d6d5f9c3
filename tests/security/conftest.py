"""One broker with every listener, one realm, one set of certificates for all security tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.security.certificates import make_certificates
from tests.security.cluster import running_cluster
from tests.security.credentials import FILE, written
from tests.security.kerberos import running_realm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.security.certificates import Certificates
    from tests.security.cluster import Cluster
    from tests.security.kerberos import Realm


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="session")
def realm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Realm]:
    with running_realm(tmp_path_factory.mktemp("realm")) as running:
        yield running


@pytest.fixture(scope="session")
def cluster(
    tmp_path_factory: pytest.TempPathFactory, certificates: Certificates, realm: Realm
) -> Iterator[Cluster]:
    yield from running_cluster(tmp_path_factory.mktemp("secured"), certificates, realm)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRUST_PASSWORD", "store-hunter2")
    (tmp_path / "secret").write_text("key-hunter2\n")
    return written(tmp_path / "credentials.ini", FILE)
