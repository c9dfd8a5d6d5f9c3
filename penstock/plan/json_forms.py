"""JSON calls with clauses as calls of the Java module; entries of `plan.forms`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from penstock.errors import PlanError
from penstock.model.expression import Expr
from penstock.model.types import BOOLEAN, STRING, DataType, literal
from penstock.sql.casts import cast
from penstock.sql.json_path import clauses_text, json_path
from penstock.sql.literals import text_of
from penstock.sql.spans import node_span
from penstock.sql.types import data_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.plan.expressions import ExpressionCompiler

_TEXTS = DataType("ARRAY", children=(("element", STRING),))
# what JSON_VALUE can return → its name in the Java module
_RETURNED = {"VARCHAR": "STRING", "BOOLEAN": "BOOLEAN", "INT": "INT", "DOUBLE": "DOUBLE"}
# what JSON_VALUE returns → which types its default may have
_DEFAULTS: dict[str, Callable[[DataType], bool]] = {
    "VARCHAR": lambda type_: type_.is_text or type_.is_numeric or type_.root == "BOOLEAN",
    "BOOLEAN": lambda type_: type_.root == "BOOLEAN",
    "INT": lambda type_: type_.is_integer and type_.root != "BIGINT",
    "DOUBLE": lambda type_: type_.is_numeric,
}
# Calls whose result is JSON already, and is written into another one as it is.
_NESTED = ("JSON_OBJECT", "JSON_ARRAY", "JSON")
_SCALARS = ("BOOLEAN", "BINARY", "VARBINARY", "NULL", "TIMESTAMP", "TIMESTAMP_LTZ")
_WRITTEN = STRING.as_nullable(nullable=False)


def _split(
    compiler: ExpressionCompiler, node: exp.Anonymous
) -> tuple[list[exp.Expr], dict[str, exp.Expr]]:
    """The plain arguments and the clauses of a call."""
    plain = [part for part in node.expressions if not isinstance(part, exp.Kwarg)]
    clauses: dict[str, exp.Expr] = {}
    for part in node.expressions:
        if isinstance(part, exp.Kwarg):
            kind = part.this.name.removeprefix("DEFAULT ")
            if any(name.removeprefix("DEFAULT ") == kind for name in clauses):
                compiler.refuse(node, f"{kind} is given twice.")
            clauses[part.this.name] = part.expression
    return plain, clauses


def _text_and_path(
    compiler: ExpressionCompiler, node: exp.Anonymous, plain: list[exp.Expr]
) -> tuple[str, dict[str, object]]:
    """The JSON text in Spark SQL, and the clause that holds the path."""
    compiled = [compiler.compile(part) for part in plain]
    known = text_of(compiled[1].sql) if len(compiled) == 2 else None
    if known is None or not (compiled[0].type.is_text or compiled[0].type.root == "NULL"):
        raise PlanError(
            "WRONG_ARGUMENTS",
            span=node_span(node),
            function=node.name.upper(),
            found=", ".join(str(part.type) for part in compiled),
            expected="(text, literal text)",
        )
    try:
        path = json_path(known)
    except PlanError as error:
        error.span = node_span(plain[1])
        raise
    text = cast(compiled[0].sql, compiled[0].type, STRING)
    return text, {"path": path.facts()}


def _json_value(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    plain, clauses = _split(compiler, node)
    text, facts = _text_and_path(compiler, node, plain)
    returned = _returned(compiler, node, clauses)
    defaults = []
    for end in ("EMPTY", "ERROR"):
        default = clauses.get(f"DEFAULT ON {end}")
        chosen = clauses.get(f"ON {end}")
        facts[end.lower()] = "DEFAULT" if default else chosen.name if chosen else "NULL"
        defaults.append(_default(compiler, default, returned))
    facts["returning"] = _RETURNED[returned.root]
    arguments = ", ".join([literal(clauses_text(facts)), text, *defaults])
    call = f"penstock_json_value({arguments})"
    if returned.root == "VARCHAR":
        return Expr(cast(call, STRING, returned), returned)
    return Expr(f"CAST({call} AS {returned.spark_sql()})", returned)


def _returned(
    compiler: ExpressionCompiler, node: exp.Anonymous, clauses: dict[str, exp.Expr]
) -> DataType:
    written = clauses.get("RETURNING")
    if not isinstance(written, exp.DataType):
        return STRING
    type_ = data_type(written, node.name).as_nullable()
    if type_.root not in _RETURNED:
        compiler.refuse(node, "It can return STRING, VARCHAR, BOOLEAN, INTEGER or DOUBLE.")
    return type_


def _default(compiler: ExpressionCompiler, node: exp.Expr | None, returned: DataType) -> str:
    """The default as a text, the way the Java module passes it on."""
    if node is None:
        return "CAST(NULL AS STRING)"
    default = compiler.compile(node)
    if default.type.root != "NULL" and not _DEFAULTS[returned.root](default.type):
        compiler.refuse(node, f"The default is {default.type}; the call returns {returned}.")
    return f"CAST({default.sql} AS STRING)"


def _json_query(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    plain, clauses = _split(compiler, node)
    text, facts = _text_and_path(compiler, node, plain)
    written = clauses.get("RETURNING")
    returned = data_type(written, node.name) if isinstance(written, exp.DataType) else STRING
    array = returned.as_nullable() == _TEXTS
    if not (array or returned.root == "VARCHAR"):
        compiler.refuse(node, "It can return STRING, VARCHAR or ARRAY<STRING>.")
    for end in ("EMPTY", "ERROR"):
        chosen = clauses.get(f"ON {end}")
        facts[end.lower()] = chosen.name if chosen else "NULL"
        if array and facts[end.lower()] == "EMPTY OBJECT":
            compiler.refuse(node, f"An array cannot be EMPTY OBJECT ON {end}.")
    if wrapper := clauses.get("WRAPPER"):
        facts["wrapper"] = wrapper.name
    facts["returning"] = "ARRAY" if array else "STRING"
    function = "penstock_json_query_array" if array else "penstock_json_query"
    call = f"{function}({literal(clauses_text(facts))}, {text})"
    type_ = returned.as_nullable()
    return Expr(call if array else cast(call, STRING, type_), type_)


def _json_exists(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    plain, clauses = _split(compiler, node)
    text, facts = _text_and_path(compiler, node, plain)
    chosen = clauses.get("ON ERROR")
    facts["error"] = chosen.name if chosen else "FALSE"
    return Expr(f"penstock_json_exists({literal(clauses_text(facts))}, {text})", BOOLEAN)


def _json_object(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    pairs, clauses = _split(compiler, node)
    keys = [compiler.compile(pair.expressions[0]) for pair in pairs]
    names = [text_of(key.sql) for key in keys]
    values: dict[str, exp.Expr] = {}
    for name, pair in zip(names, pairs, strict=True):
        if name is None or name in values:
            compiler.refuse(node, "The keys must be text literals, each of them once.")
        values[name] = pair.expressions[1]
    return _built("penstock_json_object", compiler, values, clauses, nulls="NULL")


def _json_array(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    values, clauses = _split(compiler, node)
    named = {f"_{position}": value for position, value in enumerate(values)}
    return _built("penstock_json_array", compiler, named, clauses, nulls="ABSENT")


def _json_string(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    values, clauses = _split(compiler, node)
    if len(values) != 1:
        compiler.refuse(node, "It takes one value.")
    built = _built("penstock_json_string", compiler, {"_0": values[0]}, clauses, nulls="NULL")
    nullable = compiler.compile(values[0]).type.nullable if not _is_nested(values[0]) else False
    return Expr(built.sql, STRING.as_nullable(nullable))


def _is_nested(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.upper() in _NESTED


def _built(
    function: str,
    compiler: ExpressionCompiler,
    values: dict[str, exp.Expr],
    clauses: dict[str, exp.Expr],
    *,
    nulls: str,
) -> Expr:
    fields, raw = [], []
    for position, (name, node) in enumerate(values.items()):
        value = _raw_json(compiler, node) or compiler.compile(node)
        if _is_nested(node):
            raw.append(position)
        elif not _writable(value.type):
            compiler.refuse(node, f"{value.type} cannot be written as JSON; CAST it to STRING.")
        fields.append(f"{literal(name)}, {value.sql}")
    chosen = clauses.get("ON NULL")
    facts: dict[str, object] = {
        "nulls": (chosen.name if chosen else nulls) == "NULL",
        "raw": raw,
    }
    if not fields:
        return Expr("'[]'" if function.endswith("array") else "'{}'", _WRITTEN)
    row = f"named_struct({', '.join(fields)})"
    return Expr(f"{function}({literal(clauses_text(facts))}, {row})", _WRITTEN)


def _raw_json(compiler: ExpressionCompiler, node: exp.Expr) -> Expr | None:
    """`JSON(text)`, which stands only inside of another JSON."""
    if not (isinstance(node, exp.Anonymous) and node.name.upper() == "JSON"):
        return None
    text = compiler.compile(node.expressions[0]) if len(node.expressions) == 1 else None
    if text is None or not (text.type.is_text or text.type.root == "NULL"):
        compiler.refuse(node, "It takes one text.")
    return Expr(f"penstock_json({cast(text.sql, text.type, STRING)})", STRING)


def _json(compiler: ExpressionCompiler, node: exp.Anonymous) -> Expr:
    return compiler.refuse(node, "JSON(…) stands only as a value of JSON_OBJECT or JSON_ARRAY.")


def _writable(type_: DataType) -> bool:
    if type_.root == "MAP" and not type_.children[0][1].is_text:
        return False
    if type_.children:
        return all(_writable(child) for _, child in type_.children)
    return type_.root in _SCALARS or type_.is_text or type_.is_numeric


JSON_FORMS: dict[str, Callable[..., Expr]] = {
    "JSON": _json,
    "JSON_ARRAY": _json_array,
    "JSON_EXISTS": _json_exists,
    "JSON_OBJECT": _json_object,
    "JSON_QUERY": _json_query,
    "JSON_STRING": _json_string,
    "JSON_VALUE": _json_value,
}
