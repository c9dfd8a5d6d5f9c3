"""ClickHouse's functions of URLs, as regular expressions: none of them checks that it is one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.model.types import literal
from penstock.sql.functions.clickhouse.base import STRING, Table, one
from penstock.sql.functions.clickhouse.base import Signature as S
from penstock.sql.literals import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from penstock.model.expression import Expr

# A URL with one of these in front of its path has no host.
_BROKEN = r" \t<>%{}|\\^~\[\];=&"
_HOST = rf"[^{_BROKEN}:/?#@]"
_SCHEME = r"(?>//|[\x00-\x7f][A-Za-z0-9.+\-]{0,12}://)?+"
# A host has a point in it, or what stands before its @ has; it does not end with one.
_DOMAIN = (
    rf"(?s)\A{_SCHEME}(?=[^{_BROKEN}:/?#]*\.)(?:{_HOST}*@)*"
    rf"({_HOST}*[^{_BROKEN}:/?#@.])(?:[:/?#].*)?\z"
)
_PROTOCOL = r"(?s)\A([A-Za-z][A-Za-z0-9.+\-]*):"
_PATH = r"(?s)\A[^/]*+(?>//[^/]*+)?+"
_TOP = r"(?s)\.([^.0-9][^.]*)\z"


def _found(sql: str, pattern: str) -> str:
    return f"regexp_extract({sql}, {literal(pattern)}, 1)"


def _part(pattern: str) -> tuple[S, ...]:
    return one(("String",), lambda a: _found(a[0].sql, pattern), STRING)


def _without(pattern: str) -> tuple[S, ...]:
    """The URL without what the expression matches; its group stays."""
    cut = literal(pattern)
    return one(("String",), lambda a: f"regexp_replace({a[0].sql}, {cut}, '$1')", STRING)


def _of_domain(build: Callable[[str], str]) -> tuple[S, ...]:
    return one(("String",), lambda a: build(_found(a[0].sql, _DOMAIN)), STRING)


def _protocol(arguments: Sequence[Expr]) -> str:
    """What follows it has at least three bytes."""
    url = arguments[0].sql
    scheme = _found(url, _PROTOCOL)
    return f"if(octet_length({url}) - octet_length({scheme}) > 3, {scheme}, '')"


def _parameter(arguments: Sequence[Expr]) -> str:
    name = re.escape(text_of(arguments[1].sql) or "")
    return _found(arguments[0].sql, rf"(?s)\A[^?#]*[?#](?:.*?[&?#])??{name}=([^&#]*)")


URLS: Table = {
    "protocol": one(("String",), _protocol, STRING),
    "domain": _part(_DOMAIN),
    "domainWithoutWWW": _of_domain(lambda host: f"regexp_replace({host}, '^www[.]', '')"),
    "topLevelDomain": _of_domain(lambda host: _found(host, _TOP)),
    "path": _part(rf"{_PATH}(/[^?#]*)"),
    "pathFull": _part(rf"{_PATH}(/.*)"),
    "queryString": _part(r"(?s)\A[^?]*\?([^#]*)"),
    "fragment": _part(r"(?s)\A[^#]*#(.*)"),
    "queryStringAndFragment": _part(r"(?s)\A(?:[^?]*\?|[^#?]*(?=#))(.*)"),
    "cutQueryString": _without(r"(?s)\A([^?]*)\?[^#]*"),
    "cutFragment": _without(r"(?s)\A([^#]*)#.*"),
    "cutQueryStringAndFragment": _without(r"(?s)\A([^?]*(?=\?)|[^?#]*(?=#[^?]*\z))[?#].*"),
    "extractURLParameter": one(("String", "literal string"), _parameter, STRING),
}
