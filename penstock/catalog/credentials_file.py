"""The file that named credentials stand in: its rights checked, its sections and values read.

No error from here has a value in it, nor a line of the file.
"""

from __future__ import annotations

import configparser
import difflib
import os
import re
import stat
from typing import TYPE_CHECKING

from penstock.errors import OptionError

if TYPE_CHECKING:
    from pathlib import Path

    from penstock.model.option import OptionValue

_FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OUTSIDE = re.compile(r"\$\{(env|file):([^}]*)\}")
_LINE = re.compile(r"line:? +(\d+)")


def read_section(file: Path, *, table: str, reference: OptionValue) -> dict[str, str]:
    """The keys and values that stand under the name; what is written elsewhere is looked up."""
    sections = _parsed(file, _text(file, table, reference), reference)
    name = reference.value
    if name not in sections:
        known = sorted(sections)
        near = difflib.get_close_matches(name, known, n=1)
        raise OptionError(
            "UNKNOWN_CREDENTIALS",
            span=reference.span,
            table=table,
            name=name,
            file=file,
            did_you_mean=f" Did you mean '{near[0]}'?" if near else "",
            known=", ".join(known) or "none",
        )
    return {
        key: _OUTSIDE.sub(lambda match: _looked_up(match, file, table, reference), value)
        for key, value in sections[name].items()
    }


def invalid(table: str, reference: OptionValue, problem: str, instead: str) -> OptionError:
    """The error for credentials that are there and cannot be used."""
    return OptionError(
        "INVALID_CREDENTIALS",
        span=reference.span,
        table=table,
        name=reference.value,
        problem=problem,
        instead=instead,
    )


def _text(file: Path, table: str, reference: OptionValue) -> str:
    try:
        with file.open("rb") as opened:
            facts = os.fstat(opened.fileno())
            content = opened.read()
    except OSError as error:
        raise OptionError(
            "CREDENTIALS_FILE_MISSING",
            span=reference.span,
            table=table,
            name=reference.value,
            file=file,
            reason=(error.strerror or "it cannot be read").lower(),
        ) from None
    if facts.st_uid != os.geteuid():
        raise _exposed(file, reference, "belongs to another user", f"chown $USER {file}")
    if facts.st_mode & _FOR_OTHERS:
        mode = stat.S_IMODE(facts.st_mode)
        raise _exposed(
            file, reference, f"is open to other users (mode {mode:04o})", f"chmod 600 {file}"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unreadable(file, reference, "it is not UTF-8 text") from None


def _exposed(file: Path, reference: OptionValue, problem: str, command: str) -> OptionError:
    return OptionError(
        "CREDENTIALS_FILE_EXPOSED",
        span=reference.span,
        file=file,
        problem=problem,
        command=command,
    )


def _unreadable(file: Path, reference: OptionValue, reason: str) -> OptionError:
    return OptionError("CREDENTIALS_FILE_INVALID", span=reference.span, file=file, reason=reason)


def _parsed(file: Path, text: str, reference: OptionValue) -> dict[str, dict[str, str]]:
    parser = configparser.RawConfigParser(
        delimiters=("=",), comment_prefixes=("#", ";"), default_section="\0", strict=True
    )
    # Kafka's properties have one spelling.
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(text)
    except configparser.Error as error:
        # Its text quotes the line, which may be the one with the password.
        numbers = _LINE.findall(str(error))
        place = f" in line {numbers[-1]}" if numbers else ""
        reason = f"there is no section, or no `key = value`, or the same twice{place}"
        raise _unreadable(file, reference, reason) from None
    return {name: dict(parser.items(name)) for name in parser.sections()}


def _looked_up(match: re.Match[str], file: Path, table: str, reference: OptionValue) -> str:
    kind, name = match.groups()
    if kind == "env":
        if name in os.environ:
            return os.environ[name]
        problem = f"ask for the environment variable {name}, which is not set"
        raise invalid(table, reference, problem, "Set it, or write the value into the file.")
    path = file.absolute().parent / name
    try:
        return path.expanduser().read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError):
        problem = f"ask for the file {path}, which cannot be read"
        raise invalid(table, reference, problem, "Create it, or give yourself the right.") from None
