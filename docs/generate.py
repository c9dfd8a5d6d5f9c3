"""`make docs`: writes the generated parts of the pages, between `begin:` and `end:` comments.

The tables come from the same declarations the code uses; `tests/test_docs.py` fails while a page is
stale.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docs.clickhouse import PARTS as CLICKHOUSE_PARTS
from penstock.connectors import CONNECTORS
from penstock.formats import FORMATS
from penstock.messages import MESSAGES
from penstock.plan.forms import CALLS
from penstock.plan.over import RANKINGS
from penstock.plan.settings import SETTINGS
from penstock.sql.functions import AGGREGATE, FORMS, REFUSED, SCALAR, TOPICS
from penstock.sql.functions.system import OPERATORS, SYSTEM_AGGREGATE, SYSTEM_SCALAR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from penstock.model.option import Option
    from penstock.sql.functions.base import Signature

DOCS = Path(__file__).parent
_PART = re.compile(r"(<!-- begin:([\w-]+) -->\n).*?(<!-- end:\2 -->)", re.DOTALL)


def main() -> None:
    for page in pages():
        page.write_text(rendered(page), encoding="utf-8")


def pages() -> list[Path]:
    """Every page with a generated part."""
    return [p for p in sorted(DOCS.rglob("*.md")) if "<!-- begin:" in p.read_text(encoding="utf-8")]


def rendered(page: Path) -> str:
    """A page with its generated parts made anew."""
    text = page.read_text(encoding="utf-8")
    return _PART.sub(lambda match: f"{match[1]}{PARTS[match[2]]()}\n{match[3]}", text)


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines
    )


def _options(options: Iterable[Option[object]], prefix: str = "") -> str:
    rows = (
        (
            f"`{prefix}{option.key}`",
            "required" if option.required else "optional",
            _default(option.default),
            option.type_name,
            option.description,
        )
        for option in options
    )
    return _table(("option", "required", "default", "type", "description"), rows)


def _connector_options(name: str) -> str:
    return _options(CONNECTORS[name].OPTIONS)


def _format_options(name: str) -> str:
    return _options(FORMATS[name].OPTIONS, f"{name}.")


def _format_metadata(name: str) -> str:
    rows = ((f"`value.{key}`", f"`{type_}`") for key, type_ in FORMATS[name].METADATA)
    return _table(("key", "type"), rows)


def _default(value: object) -> str:
    if value in (None, "", ()):
        return "(none)"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _metadata(connector: str) -> str:
    rows = (
        (f"`{m.key}`", f"`{m.type}`", "R/W" if m.writable else "R")
        for m in CONNECTORS[connector].METADATA
    )
    return _table(("key", "type", "R/W"), rows)


def _errors() -> str:
    rows = (
        (f"`{code}`", message.family, f"{message.text} {message.advice}".strip())
        for code, message in sorted(MESSAGES.items())
    )
    return _table(("code", "class", "message"), rows)


def _functions(table: dict[str, tuple[Signature, ...]]) -> str:
    rows = (
        (f"`{name}{signature.describe()}`", signature.describe_result())
        for name, signatures in sorted(table.items())
        for signature in signatures
    )
    return _table(("call", "gives"), rows)


def _scalar_functions() -> str:
    topics = (f"### {title}\n\n{_functions(table)}" for title, table in TOPICS.items())
    forms = _table(("call", "gives"), ((f"`{call}`", result) for call, result in FORMS.values()))
    return "\n\n".join([*topics, f"### Calls with a syntax of their own\n\n{forms}"])


def _system_functions() -> str:
    """Every function of Flink's page of system functions, and what becomes of it here."""
    supported = {*SCALAR, *AGGREGATE, *FORMS, *CALLS, *RANKINGS}
    rows = (
        (section, f"`{name}`", "supported" if name in supported else _refusal(name))
        for section, names in {**SYSTEM_SCALAR, **SYSTEM_AGGREGATE}.items()
        for name in names
    )
    operators = (("Operators", f"`{operator}`", "supported") for operator in OPERATORS)
    return _table(("section", "function", "status"), [*operators, *rows])


def _refusal(name: str) -> str:
    return f"refused. {REFUSED.get(name, '')}".strip()


def _format_options(name: str) -> str:
    return _options(FORMATS[name].OPTIONS, f"{name}.")


PARTS: dict[str, Callable[[], str]] = {
    **CLICKHOUSE_PARTS,
    "aggregate-functions": lambda: _functions(AGGREGATE),
    "errors": _errors,
    "kafka-metadata": lambda: _metadata("kafka"),
    "filesystem-metadata": lambda: _metadata("filesystem"),
    **{f"{name}-options": partial(_format_options, name) for name in FORMATS},
    **{f"{name}-metadata": partial(_format_metadata, name) for name in FORMATS},
    **{f"{name}-options": partial(_connector_options, name) for name in CONNECTORS},
    **{f"{name}-options": partial(_format_options, name) for name in FORMATS},
    "scalar-functions": _scalar_functions,
    "system-functions": _system_functions,
    "settings": lambda: _options(SETTINGS.values()),
}

if __name__ == "__main__":
    main()
