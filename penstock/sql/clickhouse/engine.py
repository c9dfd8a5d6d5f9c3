"""`ENGINE = …` and the clauses behind it → the options of a table.

The name of the engine chooses the connector. Arguments become the options `engine.1`, `engine.2`,
…, a named collection `engine.collection`; each clause of MergeTree is an option of its own, each
setting goes by its name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from penstock.errors import SqlError
from penstock.model.option import OptionValue
from penstock.sql.spans import node_span

if TYPE_CHECKING:
    from penstock.sql.clickhouse.cursor import Cursor

DEFAULT_ENGINE = "MergeTree"
_FAMILY = (
    "MergeTree",
    "ReplacingMergeTree",
    "SummingMergeTree",
    "AggregatingMergeTree",
    "CollapsingMergeTree",
    "VersionedCollapsingMergeTree",
)
_REPLICAS = re.compile("^(Replicated|Shared)")
_AT_REST = ("Memory", "Log", "TinyLog", "StripeLog")
# engine → connector; an engine that is not here goes by its own name, and the catalog refuses it
ENGINES = {
    "Kafka": "clickhouse-kafka",
    "Null": "null",
    **dict.fromkeys(_FAMILY, "merge-tree"),
    **{f"Replicated{name}": "merge-tree" for name in _FAMILY},
    **{f"Shared{name}": "merge-tree" for name in _FAMILY},
    **dict.fromkeys(_AT_REST, "merge-tree"),
}
# A table that names no engine.
DEFAULT_OPTIONS = (
    OptionValue("connector", ENGINES[DEFAULT_ENGINE]),
    OptionValue("engine", DEFAULT_ENGINE),
)
# clause → its option
_CLAUSES = {
    "ORDER BY": "order_by",
    "PARTITION BY": "partition_by",
    "PRIMARY KEY": "primary_key",
    "SAMPLE": "sample_by",
    "TTL": "ttl",
}
_STOPS = (*_CLAUSES, "ENGINE", "SETTINGS", "COMMENT", "AS", "EMPTY", "POPULATE")


def plain_engine(name: str) -> str:
    """The engine that a replicated or shared one is otherwise."""
    return _REPLICAS.sub("", name)


def read_engine(cursor: Cursor, keys: tuple[str, ...] = ()) -> tuple[tuple[OptionValue, ...], str]:
    """The options of a table and its comment; no options where nothing is said.

    `keys` are those that the column list says to be the PRIMARY KEY.
    """
    options: list[OptionValue] = []
    comment, start = "", cursor.span
    while not cursor.done:
        if cursor.accept("ENGINE"):
            cursor.accept("=")
            options.extend(_engine(cursor))
        elif cursor.accept("SETTINGS"):
            options.extend(read_settings(cursor))
        elif cursor.accept("COMMENT"):
            comment = cursor.string()
        elif not _clause(cursor, options):
            break
    if keys:
        key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
        options.append(OptionValue("primary_key", key, start))
    _refuse_twice(options)
    _refuse_clauses(options)
    _refuse_old_form(options)
    if options and not any(option.key == "connector" for option in options):
        options[:0] = DEFAULT_OPTIONS
    return tuple(options), comment


def read_settings(cursor: Cursor) -> list[OptionValue]:
    """`a = 1, b = 'x'`."""
    found = []
    while True:
        span = cursor.span
        token = cursor.token
        quoted = token is not None and token.token_type == TokenType.STRING
        key = cursor.string() if quoted else _dotted(cursor)
        cursor.expect("=")
        found.append(OptionValue(key, _constant(cursor), span))
        # Another action of ALTER TABLE may follow, which is no setting.
        if cursor.word() != "," or cursor.word(2) not in ("=", "."):
            return found
        cursor.accept(",")


def _dotted(cursor: Cursor) -> str:
    key = cursor.identifier()
    while cursor.accept("."):
        key += f".{cursor.identifier()}"
    return key


def _clause(cursor: Cursor, options: list[OptionValue]) -> bool:
    span = cursor.span
    key = _CLAUSES.get(cursor.word())
    if key is None:
        return False
    cursor.at += 1
    if key == "sample_by":
        cursor.expect("BY")
    options.append(OptionValue(key, cursor.written(*_STOPS), span))
    return True


def _engine(cursor: Cursor) -> list[OptionValue]:
    span = cursor.span
    name = cursor.identifier()
    options = [
        OptionValue("connector", ENGINES.get(name, name), span),
        OptionValue("engine", name, span),
    ]
    if cursor.word() == "(":
        read = _setting if name == "Kafka" else _written
        arguments = cursor.items(lambda: read(cursor))
        if name == "Kafka" and arguments and arguments[0].key == "name":
            first, *arguments = arguments
            options.append(OptionValue("engine.collection", first.value, first.span))
        for position, argument in enumerate(arguments, 1):
            key = argument.key if argument.key not in ("", "name") else f"engine.{position}"
            options.append(OptionValue(key, argument.value, argument.span))
    return options


def _written(cursor: Cursor) -> OptionValue:
    """An argument of MergeTree: columns, or a text in its quotes."""
    span = cursor.span
    return OptionValue("", cursor.written(","), span)


def _setting(cursor: Cursor) -> OptionValue:
    """An argument of Kafka: `key` is empty for a constant, "name" for a name, or what it sets."""
    span = cursor.span
    if cursor.word(1) == "=":
        key = cursor.identifier()
        cursor.accept("=")
        return OptionValue(key, _constant(cursor), span)
    if cursor.word(1) in ("(", "||"):
        return OptionValue("", _folded(cursor.expression(",")), span)
    token = cursor.token
    if token is not None and token.token_type in (TokenType.VAR, TokenType.IDENTIFIER):
        return OptionValue("name", cursor.identifier(), span)
    return OptionValue("", _constant(cursor), span)


def _folded(node: exp.Expr) -> str:
    """Literals joined by `concat` or `||`, as one text."""
    if isinstance(node, exp.Literal):
        return node.name
    if isinstance(node, exp.DPipe):
        return _folded(node.this) + _folded(node.expression)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "concat":
        return "".join(_folded(part) for part in node.expressions)
    raise SqlError(
        "UNSUPPORTED_CLAUSE",
        span=node_span(node),
        clause=f"`{node.sql(dialect='clickhouse')}` as an argument of Kafka(…)",
        instead="Write a literal, or concat(…) of literals.",
    )


def _constant(cursor: Cursor) -> str:
    """A literal as text, without its quotes; true and false as 1 and 0."""
    token = cursor.token
    if token is None:
        cursor.fail("a value is missing")
    words = {"TRUE": "1", "FALSE": "0"}
    if cursor.word() in words:
        cursor.at += 1
        return words[token.text.upper()]
    if token.token_type in (TokenType.STRING, TokenType.HEREDOC_STRING):
        return cursor.string()
    sign = "-" if cursor.accept("-") else ""
    if cursor.token is None or cursor.word() in (",", ")"):
        cursor.fail("a value is missing")
    text = cursor.token.text
    cursor.at += 1
    return sign + text


def _refuse_clauses(options: list[OptionValue]) -> None:
    """Keys and a TTL are what tables of the MergeTree family have."""
    engine = next((o.value for o in options if o.key == "engine"), DEFAULT_ENGINE)
    given = [option for option in options if option.key in _CLAUSES.values()]
    if not given or engine not in ENGINES or engine.endswith(DEFAULT_ENGINE):
        return
    clause = next(clause for clause, key in _CLAUSES.items() if key == given[0].key)
    raise SqlError(
        "CLAUSE_OF_MERGE_TREE",
        span=given[0].span,
        engine=engine,
        clause="SAMPLE BY" if clause == "SAMPLE" else clause,
    )


def _refuse_old_form(options: list[OptionValue]) -> None:
    """`MergeTree(date, key, 8192)`: no argument of today's engines is a number."""
    said = {option.key: option.value for option in options}
    if "order_by" in said or not said.get("engine", "").endswith(DEFAULT_ENGINE):
        return
    for option in options:
        if option.key.startswith("engine.") and option.value.isdigit():
            engine = said["engine"]
            raise SqlError(
                "UNSUPPORTED_CLAUSE",
                span=option.span,
                clause=f"{engine}(date, key, {option.value}), the old form of the engine,",
                instead=f"Write ENGINE = {engine} PARTITION BY toYYYYMM(date) ORDER BY key.",
            )


def _refuse_twice(options: list[OptionValue]) -> None:
    seen: set[str] = set()
    for option in options:
        if option.key in seen:
            raise SqlError(
                "UNSUPPORTED_CLAUSE",
                span=option.span,
                clause=f"A second `{option.key}`",
                instead="Say it once.",
            )
        seen.add(option.key)
