"""Options: declared once as `Option`, read by pulling them out of an `OptionReader`.

A connector or format declares its options in a table; the reader converts values, and what nobody
pulled is the error that names the near match and lists what is supported.
"""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from penstock.errors import OptionError
from penstock.model.secret import SECRET, shown_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from penstock.model.span import Span

T = TypeVar("T")
# Flink's units of time → nanoseconds
_UNITS_NS = {
    unit: ns
    for units, ns in (
        (("d", "day", "days"), 86_400_000_000_000),
        (("h", "hour", "hours"), 3_600_000_000_000),
        (("m", "min", "minute", "minutes"), 60_000_000_000),
        (("s", "sec", "secs", "second", "seconds"), 1_000_000_000),
        (("", "ms", "milli", "millis", "millisecond", "milliseconds"), 1_000_000),
        (("µs", "micro", "micros", "microsecond", "microseconds"), 1_000),
        (("ns", "nano", "nanos", "nanosecond", "nanoseconds"), 1),
    )
    for unit in units
}
_MAX_LONG = 2**63


@dataclass(frozen=True, slots=True)
class OptionValue:
    """One `'key' = 'value'` as the script wrote it."""

    key: str
    value: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Option(Generic[T]):
    """A key a user may set; `parse` raises ValueError with what would have been allowed."""

    key: str
    parse: Callable[[str], T]
    default: T | None = None
    description: str = ""
    type_name: str = "String"
    required: bool = False
    secret: bool = False
    # Other keys that mean the same, where it is not set itself.
    older: tuple[str, ...] = ()

    def under(self, prefix: str) -> Option[T]:
        """The same option as it is written inside a table: with a prefix."""
        older = tuple(prefix + key for key in self.older)
        return replace(self, key=prefix + self.key, older=older)


def text(value: str) -> str:
    """Any text."""
    return value


def pattern(value: str) -> str:
    """A regular expression."""
    try:
        re.compile(value)
    except re.error:
        raise ValueError("a regular expression that Java and Python understand alike") from None
    return value


def boolean(value: str) -> bool:
    """`true` or `false`, in any letter case."""
    if value.lower() not in ("true", "false"):
        raise ValueError("`true` or `false`")
    return value.lower() == "true"


def whole_number(value: str) -> int:
    """A whole number of 64 bits, without blanks around it."""
    if not re.fullmatch(r"[+-]?[0-9]{1,19}", value) or not -_MAX_LONG <= int(value) < _MAX_LONG:
        raise ValueError("a whole number")
    return int(value)


def positive_number(value: str) -> int:
    """A whole number greater than zero."""
    if not re.fullmatch(r"[0-9]{1,19}", value) or int(value) == 0:
        raise ValueError("a whole number greater than zero")
    return int(value)


def number(value: str) -> int | float:
    """A number, whole if it is written so."""
    try:
        return int(value)
    except ValueError:
        pass
    try:
        found = float(value)
    except ValueError:
        raise ValueError("a number") from None
    if not math.isfinite(found):
        raise ValueError("a number")
    return found


def fraction(value: str) -> float:
    """A number from 0 to 1."""
    found = number(value)
    if not 0 <= found <= 1:
        raise ValueError("a number from 0 to 1")
    return float(found)


def duration_ms(value: str) -> int:
    """A length of time in milliseconds: `10 s`, `5min`, `1 h`; a bare number is milliseconds."""
    found = re.fullmatch(r"(\d+)\s*([a-zA-Zµ]*)", value.strip())
    unit = _UNITS_NS.get(found[2].lower()) if found else None
    if not found or unit is None:
        raise ValueError("a duration such as '500 ms', '10 s', '5 min', '1 h' or '1 d'")
    return int(found[1]) * unit // 1_000_000


def one_of(*allowed: str) -> Callable[[str], str]:
    """A parser for an enumeration, matched in any letter case."""

    def parse(value: str) -> str:
        for candidate in allowed:
            if candidate.lower() == value.lower():
                return candidate
        raise ValueError(", ".join(f"'{candidate}'" for candidate in allowed))

    return parse


def exactly_one_of(*allowed: str) -> Callable[[str], str]:
    """A parser for an enumeration whose letter case matters."""

    def parse(value: str) -> str:
        if value not in allowed:
            raise ValueError(", ".join(f"'{candidate}'" for candidate in allowed))
        return value

    return parse


def single_character(value: str) -> str:
    """One character, which may be written as a Java escape (`\\t`, `\\u0001`)."""
    if value.startswith("\\") and len(value) > 1:
        value = value.encode("ascii", "backslashreplace").decode("unicode_escape")
    if len(value) != 1:
        raise ValueError("a single character")
    return value


def unknown_option(
    table: str, value: OptionValue, known: Iterable[str], supported: str
) -> OptionError:
    """The error for an option that is none of the known ones; `supported` tells of these."""
    near = difflib.get_close_matches(value.key, list(known), n=1, cutoff=0.7)
    return OptionError(
        "UNKNOWN_OPTION",
        span=value.span,
        table=table,
        option=value.key,
        did_you_mean=f" Did you mean '{near[0]}'?" if near else "",
        supported=supported,
    )


class OptionReader:
    """The options of one table, pulled one by one."""

    def __init__(self, table: str, values: Iterable[OptionValue]) -> None:
        self.table = table
        self._values = {value.key: value for value in values}
        self._spans = {key: value.span for key, value in self._values.items()}
        self._known: list[str] = []

    def pull(self, option: Option[T]) -> T | None:
        """The converted value, the default if it is not set, an error if it is required."""
        self._known.extend((option.key, *option.older))
        given = [self._values.pop(key, None) for key in (option.key, *option.older)]
        found = next(filter(None, given), None)
        if found is None:
            if option.required:
                raise self.missing(option.key)
            return option.default
        try:
            return option.parse(found.value)
        except ValueError as expected:
            raise OptionError(
                "INVALID_OPTION_VALUE",
                span=found.span,
                table=self.table,
                option=found.key,
                value=SECRET if option.secret else shown_value(option.key, found.value),
                expected=expected,
            ) from None

    def missing(self, key: str) -> OptionError:
        """The error for a required option that is not there, at a key that may have meant it."""
        # Less alike are options of their own, as `key.format` and `value.format` are.
        near = difflib.get_close_matches(key, self._values, n=1, cutoff=0.75)
        return OptionError(
            "MISSING_OPTION",
            span=self._spans[near[0]] if near else None,
            table=self.table,
            option=key,
            instead=f"Did you mean it by '{near[0]}'?" if near else "Add it to the WITH clause.",
        )

    def pull_rest(self, options: Iterable[Option[object]]) -> None:
        """Pull, and so check, the declared options that nobody asked for yet."""
        for option in options:
            if option.key not in self._known:
                self.pull(option)

    def span(self, key: str) -> Span | None:
        """Where the script set an option, also after it was pulled."""
        return self._spans.get(key)

    def pull_prefix(self, prefix: str) -> tuple[OptionValue, ...]:
        """Every option under a prefix, with the prefix removed."""
        self._known.append(f"{prefix}*")
        keys = [key for key in self._values if key.startswith(prefix)]
        pulled = [self._values.pop(key) for key in keys]
        return tuple(OptionValue(v.key.removeprefix(prefix), v.value, v.span) for v in pulled)

    def pull_free(self, form: re.Pattern[str]) -> tuple[OptionValue, ...]:
        """Every option left whose key has this form: parameters that are passed on."""
        keys = [key for key in self._values if form.fullmatch(key)]
        return tuple(self._values.pop(key) for key in keys)

    def finish(self, also_known: Sequence[str] = ()) -> None:
        """Refuse what nobody pulled, all of it."""
        supported = sorted({*self._known, *also_known})
        errors = [
            unknown_option(self.table, value, supported, ", ".join(supported))
            for value in self._values.values()
        ]
        if errors:
            errors[0].also = tuple(errors[1:])
            raise errors[0]
