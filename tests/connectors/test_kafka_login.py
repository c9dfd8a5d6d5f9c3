"""JAAS lines as documents and dialects write them, and as Kafka's client reads them."""

from __future__ import annotations

import pytest

from penstock.connectors.kafka_login import client_value, kerberos_login, password_login
from penstock.model.option import OptionValue
from penstock.model.secret import Secret

_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"
_LINE = f'{_PLAIN} username="u" password="p";'

LINES = {
    # Flink's pages, of the connector and of the SQL client's jar.
    rf"{_PLAIN} username=\"u\" password=\"p\";": _LINE,
    f'org.apache.flink.kafka.shaded.{_PLAIN} username="u" password="p";': _LINE,
    rf"org.apache.flink.kafka.shaded.{_PLAIN} username=\"u\" password=\"p\";": _LINE,
    # Huawei's page.
    rf"{_PLAIN} required username=\"xxx\" password=\"xxx\";": (
        f'{_PLAIN} required username="xxx" password="xxx";'
    ),
    # Split out of Blink's extraConfig.
    f'{_PLAIN} username="u" password="p"': _LINE,
    # Left alone: what is quoted as it should be, whatever stands inside.
    rf'{_PLAIN} username="u" password="a\"b\\;=\" c";': (
        rf'{_PLAIN} username="u" password="a\"b\\;=\" c";'
    ),
    f"{_PLAIN} username='u' password=p;": f"{_PLAIN} username='u' password=p;",
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_as_it_was_meant(line: str) -> None:
    for key in ("properties.sasl.jaas.config", "sasl.jaas.config"):
        assert client_value(OptionValue(key, line)) == LINES[line]


def test_other_values_lose_only_the_shaded_name() -> None:
    option = OptionValue("properties.sasl.login.class", "org.apache.flink.kafka.shaded.a.B")
    assert client_value(option) == "a.B"


def test_a_secret_stays_one() -> None:
    value = client_value(OptionValue("sasl.jaas.config", Secret("line;", "name")))
    assert isinstance(value, Secret)
    assert (value, value.of, repr(value)) == ("line;", "name", "'***'")


def test_a_password_is_quoted() -> None:
    line = password_login("plain", "u", 'a"b\\c;d\n')
    assert line == f'{_PLAIN} username="u" password="a\\"b\\\\c;d\\n";'


def test_a_principal_without_a_keytab_uses_its_tickets() -> None:
    assert "useTicketCache=true" in kerberos_login("u@R", None)
    assert 'useKeyTab=true storeKey=true keyTab="/a b"' in kerberos_login("u@R", "/a b")
