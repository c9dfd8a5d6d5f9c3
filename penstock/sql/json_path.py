"""SQL's JSON paths: text → steps for the Java module, which follows them.

`[lax | strict] $.name['name'][0][1, 2][1:3].*..name`; strict is the default, as in Flink. Filters
and functions inside a path are refused, and so is a `..` before a step whose matches depend on what
was looked for earlier.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NoReturn

from penstock.errors import PlanError

_MODE = re.compile(r"\s*(strict|lax)\s+(.+)", re.IGNORECASE | re.DOTALL)
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_STEP = re.compile(
    rf"""(?P<scan> \.\.(?=[^.]) )
    | \.?\[\ *(?P<names> (?:{_QUOTED})(?:\ *,\ *(?:{_QUOTED}))* )\ *\]
    | \.?\[\ *(?P<indexes> -?\d+(?:\ *,\ *-?\d+)* )\ *\]
    | \.?\[(?P<slice> -?\d*:-?\d* )\]
    | (?P<any> \.?\[\ *\*\ *\] | \.?\* )
    | \.?(?P<name> [^\s.\[\]()*?]+ )(?!\()
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_MAX_INDEX = 2**31 - 1


@dataclass(frozen=True, slots=True)
class JsonPath:
    """Steps in order; each is of one key: `names`, `indexes`, `from` and `to`, `any` or `scan`."""

    lax: bool
    moded: bool
    steps: tuple[dict[str, object], ...]

    def facts(self) -> dict[str, object]:
        """What the Java module reads."""
        return {"lax": self.lax, "shown": self._shown(), "steps": self.steps}

    def _shown(self) -> str:
        return "$" + "".join(_shown_step(step) for step in self.steps)


def json_path(text: str) -> JsonPath:
    """The path, or an error without a place that says what is wrong with it."""
    moded = _MODE.fullmatch(text)
    path = (moded[2] if moded else text).strip(" ")
    if not path.startswith(("$", "@")):
        path = f"$.{path}"
    steps: list[dict[str, object]] = []
    position = 1
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None or (match["name"] and path[position] != "." and not _after_scan(steps)):
            _refuse(text, _problem(path[position:]))
        steps.append(_step(match, text))
        position = match.end()
    _check(steps, text)
    mode = moded[1].lower() if moded else ""
    return JsonPath(lax=mode == "lax", moded=bool(mode), steps=tuple(steps))


def _after_scan(steps: list[dict[str, object]]) -> bool:
    return bool(steps) and "scan" in steps[-1]


def _step(match: re.Match[str], text: str) -> dict[str, object]:
    if match["scan"]:
        return {"scan": True}
    if match["any"]:
        return {"any": True}
    if match["name"]:
        return {"names": [match["name"]]}
    if match["names"]:
        return {"names": [_unescaped(part[1:-1]) for part in re.findall(_QUOTED, match["names"])]}
    numbers = match["indexes"].split(",") if match["indexes"] else match["slice"].split(":")
    read = [int(number) if number.strip() else None for number in numbers]
    if any(abs(number or 0) > _MAX_INDEX for number in read):
        _refuse(text, "An index is too large.")
    if match["indexes"]:
        return {"indexes": read}
    if read == [None, None]:
        _refuse(text, "A slice needs a start or an end.")
    return {"from": read[0], "to": read[1]}


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _ESCAPED.get(m[2], m[2]), text)


def _check(steps: list[dict[str, object]], text: str) -> None:
    for position, step in enumerate(steps):
        if "scan" not in step:
            continue
        following = steps[position + 1 :]
        if not following:
            _refuse(text, "A path cannot end with `..`.")
        if len(following) > 1 and "names" not in following[0]:
            _refuse(text, "After `..` a name is needed, or any one step that ends the path.")


def _problem(rest: str) -> str:
    if re.match(r"\.?\[\s*\?", rest):
        return "Filters are not supported; select the array and filter its elements with SQL."
    if re.match(r"\.?[^\s.\[\]]+\(", rest):
        return "Functions are not supported inside a path; use SQL's functions on the result."
    return f"`{rest}` cannot be read. Names with blanks or dots are written ['a b']."


def _shown_step(step: dict[str, object]) -> str:
    if "scan" in step:
        return ".."
    if "any" in step:
        return "[*]"
    names = step.get("names")
    if isinstance(names, list):
        return "[" + ",".join(f"'{name}'" for name in names) + "]"
    indexes = step.get("indexes")
    if isinstance(indexes, list):
        return "[" + ",".join(map(str, indexes)) + "]"
    ends = (step.get("from"), step.get("to"))
    return "[" + ":".join("" if end is None else str(end) for end in ends) + "]"


def _refuse(text: str, problem: str) -> NoReturn:
    raise PlanError("UNSUPPORTED_JSON_PATH", path=text, problem=problem)


def clauses_text(facts: dict[str, object]) -> str:
    """Clauses as the Java module reads them."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
