"""How a table names its schema registry: the options, and what Java is told of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit, urlunsplit

from penstock.model.option import Option, OptionValue, one_of, text
from penstock.model.secret import Secret, is_secret

if TYPE_CHECKING:
    from collections.abc import Iterable

# A pair of `k1:v1,k2:v2`; either side may be quoted.
_PAIR = re.compile(r"""\s*('[^']*'|"[^"]*"|[^:,]+?)\s*:\s*('[^']*'|"[^"]*"|[^,]*?)\s*(?:,|\Z)""")

# What Java's client takes: its hosts have no underscores.
_URL = re.compile(
    r"https?://(?:[^\s/]*@)?(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*)|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?"
    r"(?:/(?:[A-Za-z0-9._~!$&'()*+;=:@/-]|%[0-9A-Fa-f]{2})*)?"
)
_NUMBER = re.compile(r"\d{1,9}")
# Properties of Confluent's client that count here, and their least value.
_NUMBERS = {
    "max.retries": 0,
    "retries.wait.ms": 0,
    "retries.max.wait.ms": 0,
    "http.read.timeout.ms": 1,
    "missing.id.cache.ttl.sec": 0,
}
_FLAG = "auto.register.schemas"
# Where a login is said to be, and what must be there then.
_SOURCES = {
    ("basic-auth.credentials-source", "USER_INFO"): "basic-auth.user-info",
    ("basic-auth.credentials-source", "URL"): "basic-auth.user-info",
    ("bearer-auth.credentials-source", "STATIC_TOKEN"): "bearer-auth.token",
}

# What Confluent's client calls the options here.
_PROPERTIES = {
    "basic.auth.credentials.source": "basic-auth.credentials-source",
    "basic.auth.user.info": "basic-auth.user-info",
    "bearer.auth.credentials.source": "bearer-auth.credentials-source",
    "bearer.auth.token": "bearer-auth.token",
    "ssl.keystore.location": "ssl.keystore.location",
    "ssl.keystore.password": "ssl.keystore.password",
    "ssl.truststore.location": "ssl.truststore.location",
    "ssl.truststore.password": "ssl.truststore.password",
}


def address(value: str) -> str:
    """Addresses of one registry."""
    if not all(_URL.fullmatch(url.strip()) for url in value.split(",")):
        raise ValueError(
            "addresses such as http://localhost:8081, separated by commas; the name of a host has "
            "letters, digits, dots and hyphens"
        )
    return value


def pairs(value: str) -> dict[str, str]:
    """A map, as `k1:v1,k2:v2` or in braces as YAML writes it."""
    inside = value.strip()
    if inside.startswith("{") and inside.endswith("}"):
        inside = inside[1:-1]
    found, place = {}, 0
    while place < len(inside):
        pair = _PAIR.match(inside, place)
        if not pair:
            raise ValueError("pairs such as 'key1:value1,key2:value2'")
        found[pair[1].strip("'\"")] = pair[2].strip("'\"")
        place = pair.end()
    return found


OPTIONS: tuple[Option[object], ...] = (
    Option(
        "url",
        address,
        None,
        "Where the registry listens; several addresses of it are separated by commas.",
        required=True,
        older=("schema-registry.url",),
    ),
    Option(
        "subject",
        text,
        None,
        "Under which the schema of a sink is registered; without it `<topic>-value` or "
        "`<topic>-key`, where the table has one topic.",
        older=("schema-registry.subject",),
    ),
    Option(
        "schema",
        text,
        None,
        "An Avro schema in place of the one the columns give; it must say the same types.",
        older=("schema-registry.schema",),
    ),
    Option("ssl.keystore.location", text, None, "Keys of the client: JKS, PKCS12 or PEM."),
    Option("ssl.keystore.password", text, None, "Password of that file.", secret=True),
    Option("ssl.truststore.location", text, None, "Certificates to trust: JKS, PKCS12 or PEM."),
    Option("ssl.truststore.password", text, None, "Password of that file.", secret=True),
    Option(
        "basic-auth.credentials-source",
        one_of("USER_INFO", "URL"),
        None,
        "Where name and password are: in the next option, or in the address.",
        "Enum",
    ),
    Option("basic-auth.user-info", text, None, "`name:password`.", secret=True),
    Option(
        "bearer-auth.credentials-source",
        one_of("STATIC_TOKEN"),
        None,
        "Where the token is: in the next option.",
        "Enum",
    ),
    Option("bearer-auth.token", text, None, "Token of bearer authentication.", secret=True),
    Option(
        "properties",
        pairs,
        None,
        "Properties of Confluent's client, as `k1:v1,k2:v2`, or each as an option "
        "`properties.<name>`.",
        "Map",
    ),
)


def registry_options(
    values: dict[str, object], extra: Iterable[OptionValue], *, of: str
) -> tuple[tuple[str, object], ...]:
    """What Java is told: options win over properties, no secret without a cover.

    `of` names table and format, as in `orders/avro-confluent`.
    """
    given = values.pop("properties", None)
    properties = {**(given if isinstance(given, dict) else {}), **{o.key: o.value for o in extra}}
    told: dict[str, object] = {}
    for key, value in properties.items():
        plain = key.removeprefix("schema.registry.")
        told[_PROPERTIES.get(plain, plain)] = value
    told.update(values)
    if told.get("basic-auth.credentials-source") == "URL":
        told.pop("basic-auth.user-info", None)
    url, login = _without_login(str(told["url"]))
    if login:
        told.setdefault("basic-auth.user-info", login)
    told["url"] = url
    return tuple(
        (key, Secret(str(value), f"{of}.{key}") if _is_hidden(key) else value)
        for key, value in told.items()
    )


def problem_with(told: Iterable[tuple[str, object]], under: str) -> str:
    """What is wrong with properties, and with logins that are not where they should be."""
    values = dict(told)
    for key, least in _NUMBERS.items():
        value = str(values.get(key, least)).strip()
        if not _NUMBER.fullmatch(value) or int(value) < least:
            return f"The property '{key}' must be a whole number from {least} on, not '{value}'."
    flag = str(values.get(_FLAG, "true")).strip()
    if flag.lower() not in ("true", "false"):
        return f"The property '{_FLAG}' must be true or false, not '{flag}'."
    for (source, value), needed in _SOURCES.items():
        if values.get(source) == value and needed not in values:
            where = f"'{under}url' has no login" if value == "URL" else f"'{under}{needed}' lacks"
            return f"'{under}{source}' is '{value}', and {where}."
    return ""


def _is_hidden(key: str) -> bool:
    return is_secret(key) and not key.endswith("credentials-source")


def _without_login(urls: str) -> tuple[str, str]:
    """Addresses without the name and the password that one of them may have."""
    found = []
    login = ""
    for url in urls.split(","):
        parts = urlsplit(url.strip())
        user, _, host = parts.netloc.rpartition("@")
        login = login or unquote(user)
        found.append(urlunsplit(parts._replace(netloc=host)))
    return ",".join(found), login
