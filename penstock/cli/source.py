"""From the words of the command line to a plan, with errors that point into the script."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.cli.render import Script, render_error
from penstock.errors import OptionError, PenstockError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from penstock.plan.nodes import ScriptPlan
    from penstock.sql.statements import Script as ParsedScript


@dataclass(frozen=True, slots=True)
class Arguments:
    """What every command that takes a script is told."""

    script: Path
    bootstrap: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    bindings: Mapping[str, str] = field(default_factory=dict)

    @property
    def job_name(self) -> str:
        """The job's name unless the script sets one."""
        return self.script.stem

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
) -> Arguments:
    """The words of the repeated flags, each `K=V`, understood."""
    return Arguments(
        script,
        bootstrap,
        _pairs(settings, "--set"),
        _pairs(variables, "--var"),
        _pairs(bindings, "--bind"),
    )


def _pairs(words: list[str], flag: str) -> dict[str, str]:
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
        text = arguments.script.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise OptionError(
            "INVALID_ARGUMENT",
            argument=str(arguments.script),
            expected=f"Cannot read it: {reason}.",
        ) from error
    return fill_variables(text, arguments.variables)


def statements_of(arguments: Arguments) -> ParsedScript:
    """The parsed script."""
    from penstock.sql.parse import parse

    return parse(read_text(arguments))


def plan_of(arguments: Arguments) -> ScriptPlan:
    """The planned script."""
    return plan_statements(statements_of(arguments), arguments)


def plan_statements(parsed: ParsedScript, arguments: Arguments) -> ScriptPlan:
    """Plan what was parsed before, with the overrides of the command line."""
    from penstock.catalog.catalog import Overrides
    from penstock.plan.script import plan_script

    bound = {name: str(Path(path).absolute()) for name, path in arguments.bindings.items()}
    return plan_script(
        parsed,
        name=arguments.job_name,
        overrides=Overrides(arguments.bootstrap, bound),
        settings=tuple(arguments.settings.items()),
    )


def note_settings(plan: ScriptPlan) -> None:
    """Say on stderr which settings are accepted but change nothing."""
    from penstock.plan.settings import has_effect

    for key, _ in plan.settings:
        if not has_effect(key):
            print(f"note: the setting '{key}' has no effect here", file=sys.stderr)


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
            text = arguments.script.read_text(encoding="utf-8-sig", errors="replace")
        except OSError:
            return None
    return Script(arguments.script.name, text)
