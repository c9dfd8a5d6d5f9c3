"""From the words of the command line to a plan, with errors that point into the script."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.render import Script, render_error
from penstock.errors import OptionError, PenstockError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from penstock.plan.query import ScriptPlan
    from penstock.sql.statements import Script as ParsedScript

STDIN = Path("-")
_STATE = ".penstock"


@dataclass(frozen=True, slots=True)
class Arguments:
    """What every command that takes a script is told."""

    script: Path
    bootstrap: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    bindings: Mapping[str, str] = field(default_factory=dict)
    dialect: str | None = None
    credentials: Path | None = None

    @property
    def job_name(self) -> str:
        """The job's name unless the script sets one."""
        return "stdin" if self.script == STDIN else self.script.stem

    @property
    def folder(self) -> Path:
        """Where the script stands."""
        return Path() if self.script == STDIN else self.script.parent

    @property
    def shown_name(self) -> str:
        """What messages call the script."""
        return "stdin" if self.script == STDIN else self.script.name

    def with_bootstrap(self, address: str) -> Arguments:
        """The same with other brokers."""
        return replace(self, bootstrap=address)


def arguments_of(
    script: Path,
    settings: list[str],
    variables: list[str],
    bindings: list[str],
    *,
    bootstrap: str | None = None,
    dialect: str | None = None,
    credentials: Path | None = None,
) -> Arguments:
    """The words of the repeated flags, each `K=V`, understood."""
    return Arguments(
        script,
        bootstrap,
        pairs_of(settings, "--set"),
        pairs_of(variables, "--var"),
        pairs_of(bindings, "--bind"),
        dialect,
        credentials,
    )


def pairs_of(words: list[str], flag: str) -> dict[str, str]:
    """`K=V` words of a repeated flag as a mapping."""
    found = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise OptionError("INVALID_ARGUMENT", argument=f"{flag} {word}", expected="Write K=V.")
        found[key] = value
    return found


def read_text(arguments: Arguments) -> str:
    """The script's text, variables filled in."""
    from penstock.sql.parse import fill_variables

    try:
        text = _raw_text(arguments.script)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise OptionError(
            "INVALID_ARGUMENT",
            argument=str(arguments.script),
            expected=f"Cannot read it: {reason}.",
        ) from error
    return fill_variables(text, arguments.variables)


@cache
def _stdin() -> bytes:
    return sys.stdin.buffer.read()


def _raw_text(script: Path, errors: str = "strict") -> str:
    content = _stdin() if script == STDIN else script.read_bytes()
    return content.decode("utf-8-sig", errors).replace("\r\n", "\n")


def statements_of(arguments: Arguments) -> ParsedScript:
    """The parsed script."""
    from penstock.sql.parse import parse

    return parse(read_text(arguments), arguments.dialect)


def plan_of(arguments: Arguments) -> ScriptPlan:
    """The planned script."""
    return plan_statements(statements_of(arguments), arguments)


def plan_statements(parsed: ParsedScript, arguments: Arguments) -> ScriptPlan:
    """Plan what was parsed before, with the overrides of the command line."""
    from penstock.catalog.catalog import Overrides
    from penstock.catalog.warehouse import DEFAULT_NAME
    from penstock.plan.script import plan_script

    bound = {name: str(Path(path).absolute()) for name, path in arguments.bindings.items()}
    return plan_script(
        parsed,
        name=arguments.job_name,
        overrides=Overrides(
            arguments.bootstrap,
            bound,
            (str(arguments.folder),),
            credentials_file=str(arguments.credentials) if arguments.credentials else None,
            warehouse=str(arguments.folder.absolute() / _STATE / DEFAULT_NAME),
        ),
        settings=tuple(arguments.settings.items()),
    )


def print_notes(plan: ScriptPlan) -> None:
    """Say on stderr what is accepted but changes nothing, and what cannot run yet."""
    from penstock.plan.engine import lacking
    from penstock.plan.settings import no_effect

    for key, _ in plan.settings:
        told = any(f"the setting '{key}' has" in note for note in plan.notes)
        if not told and (nothing := no_effect(key)):
            print(f"note: the setting '{key}' has {nothing}", file=sys.stderr)
    for note in plan.notes:
        print(f"note: {note}", file=sys.stderr)
    for query in plan.queries:
        if step := lacking(query):
            note = f"query {query.id} is planned, but this version cannot run its {step}"
            print(f"note: {note}", file=sys.stderr)


@contextmanager
def located_errors(arguments: Arguments) -> Iterator[None]:
    """Print an error with the line of the script it points at, then exit with its code."""
    try:
        yield
    except PenstockError as error:
        script = _script(arguments)
        shown = (render_error(one, script) for one in (error, *error.also))
        sys.stderr.write("\n".join(shown))
        sys.exit(error.exit_code)


def _script(arguments: Arguments) -> Script | None:
    try:
        text = read_text(arguments)
    except PenstockError:
        try:
            text = _raw_text(arguments.script, "replace")
        except OSError:
            return None
    return Script(arguments.shown_name, text)
