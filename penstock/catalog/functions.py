"""Functions of the user's own, in Python: found by `module.name`, typed by their annotations.

    def area(width: float, height: float) -> float: …

`int` is BIGINT, `float` DOUBLE, `str` STRING, `bool` BOOLEAN, `bytes` BYTES, `Decimal`
DECIMAL(38, 18), `date` DATE, `datetime` TIMESTAMP(6), `list[int]` ARRAY<BIGINT>, `dict[str, int]`
MAP<STRING, BIGINT>. Other types are given as attributes of the function, in Flink's words:
`area.input_types = ["DECIMAL(10, 2)", …]` and `area.result_type = "DECIMAL(20, 4)"`.
"""

from __future__ import annotations

import datetime
import importlib
import importlib.util
import inspect
import typing
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from types import ModuleType, UnionType

from penstock.errors import PlanError
from penstock.model.types import BIGINT, BOOLEAN, BYTES, DATE, DOUBLE, STRING, DataType
from penstock.sql.type_text import read_type

if typing.TYPE_CHECKING:
    from collections.abc import Callable

    from penstock.sql.statements import CreateFunction

_TYPES: dict[object, DataType] = {
    bool: BOOLEAN,
    bytes: BYTES,
    datetime.date: DATE,
    datetime.datetime: DataType("TIMESTAMP", 6),
    Decimal: DataType("DECIMAL", 38, 18),
    float: DOUBLE,
    int: BIGINT,
    str: STRING,
}
_NESTED: dict[object, tuple[str, tuple[str, ...]]] = {
    dict: ("MAP", ("key", "value")),
    list: ("ARRAY", ("element",)),
}


@dataclass(frozen=True, slots=True)
class UserFunction:
    """A function a script created; `spark_name` is what Spark knows it by."""

    name: str
    spark_name: str
    function: Callable[..., object]
    inputs: tuple[DataType, ...]
    result: DataType


def load_function(
    statement: CreateFunction, spark_name: str, folders: tuple[str, ...]
) -> UserFunction:
    """Find the function in a module of Python's path or of these folders."""
    if statement.language != "PYTHON":
        raise function_error(
            statement,
            f"it is in {statement.language}, which cannot be run here.",
            "Write it in Python: CREATE FUNCTION f AS 'module.f' LANGUAGE PYTHON.",
        )
    module_name, _, name = statement.implementation.rpartition(".")
    if not module_name:
        advice = "Write 'module.name'; the module stands beside the script or on Python's path."
        raise function_error(statement, "it does not name a module.", advice)
    module = _module(module_name, folders, statement)
    function = getattr(module, name, None)
    if not callable(function):
        raise function_error(statement, f"module `{module_name}` has no function `{name}`.", "")
    inputs, result = _signature(function, statement)
    return UserFunction(statement.name, spark_name, function, inputs, result)


def _module(name: str, folders: tuple[str, ...], statement: CreateFunction) -> ModuleType:
    try:
        for folder in folders:
            file = Path(folder, *name.split(".")).with_suffix(".py")
            if file.is_file():
                return _from_file(name, file)
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        advice = f"Put it beside the script, as `{name.replace('.', '/')}.py`, or install it."
        raise function_error(statement, f"there is no module `{error.name}`.", advice) from error
    except Exception as error:  # the module's own code may raise anything
        problem = f"module `{name}` cannot be imported: {type(error).__name__}: {error}."
        raise function_error(statement, problem, "") from error


def _from_file(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec and spec.loader  # noqa: S101 — a .py file has a loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _signature(
    function: Callable[..., object], statement: CreateFunction
) -> tuple[tuple[DataType, ...], DataType]:
    try:
        hints = typing.get_type_hints(function)
        parameters = list(inspect.signature(function).parameters.values())
    except (NameError, TypeError, ValueError) as error:
        raise function_error(statement, f"its annotations cannot be read: {error}.", "") from error
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.KEYWORD_ONLY) for p in parameters):
        raise function_error(statement, "it takes a variable list of arguments or keywords.", "")
    given = getattr(function, "input_types", None)
    if given is not None:
        inputs = tuple(_declared(text, statement) for text in given)
    else:
        inputs = tuple(_hinted(hints.get(p.name), p.name, statement) for p in parameters)
    result = getattr(function, "result_type", None)
    if result is not None:
        return inputs, _declared(result, statement)
    return inputs, _hinted(hints.get("return"), "its result", statement)


def _declared(text: str, statement: CreateFunction) -> DataType:
    return read_type(text, f"function {statement.name}", statement.span)


def _hinted(hint: object, what: str, statement: CreateFunction) -> DataType:
    found = _type(hint)
    if found is None:
        shown = "no type" if hint is None else f"the type {hint}"
        raise function_error(
            statement,
            f"`{what}` has {shown}.",
            "Annotate it with int, float, str, bool, bytes, Decimal, date, datetime, list[…] or "
            "dict[…, …], or set `input_types` and `result_type` on the function.",
        )
    return found


def _type(hint: object) -> DataType | None:
    if hint in _TYPES:
        return _TYPES[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, UnionType):
        others = [argument for argument in arguments if argument is not type(None)]
        return _type(others[0]) if len(others) == 1 else None
    children = [child for argument in arguments if (child := _type(argument))]
    root, names = _NESTED.get(origin, ("", ()))
    if not root or len(children) != len(names):
        return None
    return DataType(root, children=tuple(zip(names, children, strict=True)))


def function_error(statement: CreateFunction, problem: str, instead: str) -> PlanError:
    """The error of a CREATE FUNCTION."""
    return PlanError(
        "INVALID_FUNCTION",
        span=statement.span,
        name=statement.name,
        implementation=statement.implementation,
        problem=problem,
        instead=instead,
    )
