"""Named credentials: the client properties of a Kafka table that no script should contain.

A file of sections, one for each name; a table names one of them, and `with_credentials` adds its
properties to those the table sets itself, which win. Values are `Secret` from here on.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.catalog.credentials_file import invalid, read_section
from penstock.connectors.kafka_login import PASSWORD_MECHANISMS, kerberos_login, password_login
from penstock.model.option import OptionValue
from penstock.model.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Mapping

    from penstock.connectors.base import Connector
    from penstock.model.table import Table

# The options that name credentials; of two, the later adds to the earlier and wins.
REFERENCES = (
    "penstock.credentials",
    "penstock_credentials",
    "kafka_certificate_name",
    "ssl_auth_name",
    "krb_auth_name",
)
_CONVENIENCES = ("username", "password", "principal", "keytab", "service.name", "krb5.conf")
_PROPERTIES = ("sasl.", "security.", "ssl.")
# Where a relative path is meant from the file that has it.
_PATHS = ("keytab", "krb5.conf", "ssl.keystore.location", "ssl.truststore.location")

Values = dict[str, Secret]


def default_file() -> Path:
    """`$PENSTOCK_CREDENTIALS`, else `penstock/credentials.ini` in the user's settings folder."""
    if chosen := os.environ.get("PENSTOCK_CREDENTIALS"):
        return Path(chosen).expanduser()
    settings = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(settings, "penstock", "credentials.ini")


def with_credentials(
    table: Table, connector: type[Connector], *, file: str | None, default: str | None
) -> tuple[OptionValue, ...]:
    """The table's options with the properties of its credentials; `default` if it names none."""
    written = tuple(o for o in table.options if not isinstance(o.value, Secret))
    references = sorted(
        (option for option in written if option.key in REFERENCES),
        key=lambda option: REFERENCES.index(option.key),
    )
    if default and not references:
        references = [OptionValue("penstock.credentials", default, table.span)]
    found: Values = {}
    for reference in references:
        found |= _section(table, reference, Path(file) if file else default_file())
    if not found:
        return written
    explicit = _explicit(written, connector)
    added = _properties(table, references[-1], found, explicit)
    prefix = connector.PROPERTY_PREFIX
    fresh = (OptionValue(f"{prefix}{key}", value) for key, value in added.items())
    return (*written, *fresh)


def _explicit(options: tuple[OptionValue, ...], connector: type[Connector]) -> dict[str, str]:
    """What the table says itself, by the names of Kafka's client."""
    prefix, names = connector.PROPERTY_PREFIX, connector.PROPERTY_NAMES
    found = {names[o.key]: o.value for o in options if o.key in names}
    found |= {
        o.key.removeprefix(prefix): o.value for o in options if o.key.startswith(prefix or " ")
    }
    return found if prefix else {**found, **{o.key: o.value for o in options}}


def _section(table: Table, reference: OptionValue, file: Path) -> Values:
    name = reference.value
    values = read_section(file, table=table.name, reference=reference)
    for key in values:
        if key not in _CONVENIENCES and not key.startswith(_PROPERTIES):
            near = difflib.get_close_matches(key, _CONVENIENCES, n=1)
            meant = f"; did you mean '{near[0]}'" if near else ""
            allowed = f"Allowed: {', '.join(_CONVENIENCES)}, and properties of Kafka's client "
            raise invalid(
                table.name,
                reference,
                f"have the unknown key '{key}'{meant}",
                f"{allowed}that begin with {', '.join(_PROPERTIES)}.",
            )
    return {
        key: Secret(_absolute(file, value) if key in _PATHS else value, name)
        for key, value in values.items()
    }


def _absolute(file: Path, path: str) -> str:
    return str(file.absolute().parent / Path(path).expanduser())


def _properties(
    table: Table, reference: OptionValue, found: Values, explicit: Mapping[str, str]
) -> Values:
    """The properties to add: conveniences spelled out, nothing that the table sets itself."""
    given = {key: found.pop(key) for key in _CONVENIENCES if key in found}
    if "krb5.conf" in given:
        found["java.security.krb5.conf"] = given["krb5.conf"]
    if "sasl.jaas.config" not in {**found, **explicit}:
        found |= _login(table, reference, given, {**found, **explicit})
    if "security.protocol" not in found:
        secured = "sasl.jaas.config" in {**found, **explicit}
        found["security.protocol"] = Secret("SASL_SSL" if secured else "SSL", reference.value)
    return {key: value for key, value in found.items() if key not in explicit}


def _login(table: Table, reference: OptionValue, given: Values, known: Mapping[str, str]) -> Values:
    if "principal" in given:
        principal = given["principal"]
        line = kerberos_login(principal, given.get("keytab"))
        service = given.get("service.name", "kafka")
        values = {
            "sasl.jaas.config": line,
            "sasl.mechanism": "GSSAPI",
            "sasl.kerberos.service.name": service,
        }
        return {key: Secret(v, principal.of) for key, v in values.items() if key not in known}
    if not {"username", "password"} & set(given):
        return {}
    mechanism = known.get("sasl.mechanism", "")
    lacking = {"username", "password"} - set(given)
    if lacking:
        raise invalid(table.name, reference, f"lack the key '{lacking.pop()}'", "Add it.")
    if mechanism.upper() not in PASSWORD_MECHANISMS:
        raise invalid(
            table.name,
            reference,
            "have a password, but no 'sasl.mechanism' that takes one",
            f"Add it: {', '.join(PASSWORD_MECHANISMS)}.",
        )
    username, password = given["username"], given["password"]
    return {"sasl.jaas.config": Secret(password_login(mechanism, username, password), username.of)}
