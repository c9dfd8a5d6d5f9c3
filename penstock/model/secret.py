"""Secrets: values that are used like any text and never shown, and texts without them."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SECRET = "***"  # noqa: S105
SECRET_WORDS = (
    *("passw", "pasw", "passphrase", "secret", "jaas", "token", "credential"),
    *("user-info", "user.info", "keystore.key", "access.key", "private"),
    *("api.key", "api-key", "api_key", "apikey", "identified"),
)
# Names that were meant to be one of these, or stand for one of them alone.
_MEANT = ("password", "secret", "token", "credential", "credentials")
_SHORT = ("pass", "pwd", "pw")
_ALIKE = 0.85
_WORD = re.compile(r"[a-z]+")
# A name of credentials is no secret.
_NAMED = re.compile(r"penstock[._]credentials")
_LOGIN = re.compile(r"""(://[^/\s:@'"]*:)[^\s'"]+@""")
_INNER = re.compile(rf"([\w.-]*(?:{'|'.join(SECRET_WORDS)})[\w.-]*[=:])[^;,\s]+", re.IGNORECASE)
_PAIR = re.compile(r"""('[^']*'|"[^"]*")(\s*=\s*)('(?:[^']|'')*'|"(?:[^"]|"")*")""")


class Secret(str):
    """A value out of named credentials, or of a format: used like any text, never shown."""

    of: str

    def __new__(cls, value: str, of: str) -> Secret:
        """The value, and the name of the credentials or of the option it is from."""
        secret = super().__new__(cls, value)
        secret.of = of
        return secret

    def __repr__(self) -> str:
        return f"'{SECRET}'"


def shown_value(key: str, value: str) -> str:
    """A value as it may be shown: no secret, and no password inside an address."""
    if isinstance(value, Secret) or is_secret(key):
        return SECRET
    return _INNER.sub(rf"\1{SECRET}", without_logins(value))


def without_logins(text: str) -> str:
    """A text with the passwords hidden that stand in addresses."""
    return _LOGIN.sub(rf"\1{SECRET}@", text)


def shown_pairs(pairs: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Keys with their values as they may be shown; of named credentials only the name."""
    found = tuple(pairs)
    shown = [f"{key}={shown_value(key, v)}" for key, v in found if not isinstance(v, Secret)]
    names = dict.fromkeys(value.of for _, value in found if isinstance(value, Secret))
    return (*shown, *(f"credentials '{name}'" for name in names))


def without_secrets(text: str) -> str:
    """A piece of script with the values of secret options hidden."""

    def shown(pair: re.Match[str]) -> str:
        return f"{pair[1]}{pair[2]}{pair[3][0]}{shown_value(pair[1], pair[3][1:-1])}{pair[3][0]}"

    return _PAIR.sub(shown, text)


def is_secret(key: str) -> bool:
    """Whether the value of a free key, such as a client property, must not be shown.

    Nor that of a key which is none, but was meant to be one.
    """
    asked = _NAMED.sub("", key.lower())
    return any(word in asked for word in SECRET_WORDS) or any(
        word in _SHORT or difflib.get_close_matches(word, _MEANT, n=1, cutoff=_ALIKE)
        for word in _WORD.findall(asked)
    )
