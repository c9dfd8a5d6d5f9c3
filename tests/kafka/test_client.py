"""Java's client properties as librdkafka takes them."""

from __future__ import annotations

import pytest

from penstock.errors import KafkaError
from penstock.kafka.client import client_config
from penstock.kafka.reach import endpoints
from penstock.kafka.topic import Endpoint

_LOGIN = "org.apache.kafka.common.security.scram.ScramLoginModule required"


@pytest.mark.parametrize(
    ("properties", "config"),
    [
        ({"bootstrap.servers": "a:1", "group.id": "g"}, {"bootstrap.servers": "a:1"}),
        (
            {"sasl.jaas.config": f'{_LOGIN} username="a b" password="p\\"\\\\;=";'},
            {"sasl.username": "a b", "sasl.password": 'p"\\;='},
        ),
        (
            {"sasl.jaas.config": f"{_LOGIN} username='u' password=bare;"},
            {"sasl.username": "u", "sasl.password": "bare"},
        ),
        (
            {"ssl.truststore.type": "PEM", "ssl.truststore.location": "ca.pem"},
            {"ssl.ca.location": "ca.pem"},
        ),
        (
            {"ssl.truststore.type": "PEM", "ssl.truststore.certificates": "-----BEGIN"},
            {"ssl.ca.pem": "-----BEGIN"},
        ),
        (
            {"ssl.keystore.type": "PEM", "ssl.keystore.location": "me.pem"},
            {"ssl.certificate.location": "me.pem", "ssl.key.location": "me.pem"},
        ),
        (
            {"ssl.keystore.type": "pkcs12", "ssl.keystore.location": "me.p12"},
            {"ssl.keystore.location": "me.p12"},
        ),
        (
            {"ssl.endpoint.identification.algorithm": ""},
            {"ssl.endpoint.identification.algorithm": "none"},
        ),
    ],
)
def test_a_property_gets_its_other_name(properties: dict[str, str], config: dict[str, str]) -> None:
    bare = client_config({})
    assert client_config(properties) == {**bare, **config}


@pytest.mark.parametrize("option", ["ssl.truststore.location", "ssl.keystore.location"])
def test_single_messages_cannot_use_a_java_key_store(option: str) -> None:
    with pytest.raises(KafkaError, match=f"the JKS file of '{option}'.*PEM") as caught:
        client_config({option: "store.jks"})
    assert caught.value.code == "NEEDS_JAVA_CLIENT"


def test_addresses_are_read_as_java_reads_them() -> None:
    assert endpoints("a:1, [::1]:2,PLAINTEXT://b.example:3,") == (
        Endpoint("a", 1),
        Endpoint("::1", 2),
        Endpoint("b.example", 3),
    )
