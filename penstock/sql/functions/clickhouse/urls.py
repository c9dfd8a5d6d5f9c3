"""ClickHouse's functions of URLs, as regular expressions: none of them checks that it is one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from penstock.model.types import DataType, literal
from penstock.sql.clickhouse.types import array_of
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
_UINT16 = DataType("UINT16", nullable=False)
_STRINGS = array_of(STRING)
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


def _java(function: str, type_: DataType = STRING) -> tuple[S, ...]:
    return one(("String",), f"penstock_ch_url_{function}({{0}})", type_)


def _port(arguments: Sequence[Expr]) -> str | None:
    if len(arguments) > 1 and arguments[1].type.root != "UINT16":
        return None
    found = _found(arguments[0].sql, rf"(?s)\A{_SCHEME}[^/?#:]*:([0-9]{{1,5}})(?:[/?#].*)?\z")
    other = arguments[1].sql if len(arguments) > 1 else "0"
    known = f"try_cast(nullif({found}, '') AS INT)"
    return f"if({known} <= 65535, {known}, CAST({other} AS INT))"


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
    "cutWWW": _without(r"(?s)\A([^/]*//)www\."),
    "port": (
        S(("String",), _port, _UINT16),
        S(("String", "integer"), _port, _UINT16),
    ),
    "decodeURLComponent": _java("decode"),
    "decodeURLFormComponent": _java("decode_form"),
    "encodeURLComponent": _java("encode"),
    "encodeURLFormComponent": _java("encode_form"),
    "extractURLParameters": _java("parameters", _STRINGS),
    "extractURLParameterNames": _java("parameter_names", _STRINGS),
    "URLHierarchy": _java("hierarchy", _STRINGS),
    "URLPathHierarchy": _java("path_hierarchy", _STRINGS),
    "extractURLParameter": one(("String", "literal string"), _parameter, STRING),
}
