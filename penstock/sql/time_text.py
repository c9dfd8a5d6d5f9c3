"""Times as text, read and written in Spark SQL the way Flink does it.

Flink has two readers. CAST and TO_TIMESTAMP take exactly what the pattern says; UNIX_TIMESTAMP,
DATE_FORMAT of a text and CONVERT_TZ take more digits, months beyond 12 and text after the end.
Both are built from a regular expression, since Spark's own readers accept other texts.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import NamedTuple, NoReturn

from penstock.errors import PlanError
from penstock.model.types import DataType, literal

TIMESTAMP_PATTERN = "yyyy-MM-dd HH:mm:ss"

_DATE = "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
_TIME = "[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}"
_CLOCK = rf"^(?:{_TIME}(?:\.[0-9]{{0,9}})?|[0-9]{{1,2}}(?::[0-9]{{1,2}})?)\z"
_DATE_ONLY = r"^[0-9]{4}(?:-[0-9]{1,2}(?:-[0-9]{1,2})?)?(?= |\z)"
_HOUR_ONLY = r"^([0-9]{1,2})\z"
_LAST_DAYS = r"-(?:29|30|31)(?= |\z)"
_MAX_DIGITS = 9
_SPARK_DIGITS = 6

# letter → the longest run of it that Flink and Spark print alike
_PRINTED = {"y": 4, "M": 4, "d": 2, "D": 3, "E": 4, "a": 1, "S": 9, **dict.fromkeys("HhKkms", 2)}
# letter → what stands for it where the pattern has none
_DEFAULTS = {"y": "1970", "M": "01", "d": "01", "H": "00", "m": "00", "s": "00"}
_RESERVED = "[]{}#"


class Part(NamedTuple):
    """A run of one pattern letter, or (with no letter) the text between two runs."""

    letter: str
    text: str


def read_timestamp(sql: str, precision: int = 3) -> str:
    """A text such as 2020-01-31 09:00:00.123 as TIMESTAMP_NTZ; NULL if it is another text."""
    kept = min(precision, _SPARK_DIGITS)
    fraction = rf"\.[0-9]{{0,{kept}}}(?=[0-9]{{0,{_MAX_DIGITS - kept}}}\z)"
    pattern = rf"^{_DATE}(?: {_TIME}(?:{fraction}|\z)|\z)"
    text = f"regexp_substr({sql}, {literal(pattern)})"
    # A day the month does not have means its last day, as Java's smart resolver has it.
    base = f"TRY_CAST(regexp_replace({text}, {literal(_LAST_DAYS)}, '-28') AS TIMESTAMP_NTZ)"
    clamped = f"timestampadd(DAY, day(last_day(CAST({base} AS DATE))) - 28, {base})"
    return f"coalesce(TRY_CAST({text} AS TIMESTAMP_NTZ), {clamped})"


def read_date(sql: str) -> str:
    """A text such as 2020-01-31, or one that has a space after it, as DATE; else NULL."""
    return f"TRY_CAST(regexp_substr({sql}, {literal(_DATE_ONLY)}) AS DATE)"


def read_time(sql: str) -> str:
    """A text such as 09:00:00.123, 9:00 or 9 as TIME(6); NULL if it is another text."""
    text = f"regexp_substr(trim({sql}), {literal(_CLOCK)})"
    whole = f"regexp_replace({text}, {literal(_HOUR_ONLY)}, '$1:00')"
    return f"TRY_CAST({whole} AS TIME(6))"


def read_pattern(sql: str, pattern: str) -> str:
    """A text in the form of the pattern, or as `read_timestamp` takes it, as TIMESTAMP_NTZ(3)."""
    groups: dict[str, str] = {}
    expression = ""
    parts = split_pattern(pattern)
    for position, part in enumerate(parts):
        if part.letter == "":
            expression += re.escape(part.text)
            continue
        name = "y" if part.letter == "u" else part.letter
        beside = any(p.letter for p in (*parts[:position][-1:], *parts[position + 1 :][:1]))
        expression += _strict_field(name, len(part.text), pattern, beside=beside)
        if name in groups:
            _refuse(pattern, f"It has the letter `{name}` twice.")
        prefix = "20" if (name, len(part.text)) == ("y", 2) else ""
        groups[name] = f"{prefix}${len(groups) + 1}"
    found = {**_DEFAULTS, **groups}
    iso = "{y}-{M}-{d} {H}:{m}:{s}".format(**found) + (f".{groups['S']}" if "S" in groups else "")
    whole = literal("^" + expression + r"\z")
    return read_timestamp(f"trim(regexp_replace({sql}, {whole}, {literal(iso)}))")


def read_lenient(sql: str, pattern: str = TIMESTAMP_PATTERN) -> str:
    """A text that begins in the form of the pattern as TIMESTAMP_NTZ; NULL if it does not."""
    parts = split_pattern(pattern)
    names = [part.letter for part in parts if part.letter]
    if len(set(names)) < len(names):
        _refuse(pattern, "It has a letter twice.")
    expression = "^" + "".join(
        _lenient_field(part, pattern, beside=bool(after and after.letter))
        if part.letter
        else re.escape(part.text)
        for part, after in zip(parts, [*parts[1:], None], strict=True)
    )
    regex = literal(expression)
    order = ",".join(f"${number + 1}" for number in range(len(names)))
    values = f"split(regexp_replace(regexp_substr({sql}, {regex}), {regex}, '{order}'), ',')"
    field = {name: f"CAST(p[{index}] AS INT)" for index, name in enumerate(names)}
    start = f"make_timestamp_ntz({field.get('y', '1970')}, 1, 1, 0, 0, 0)"
    month = f"timestampadd(MONTH, {field.get('M', '1')} - 1, {start})"
    clock = ", ".join(field.get(letter, "0") for letter in "Hms")
    moment = f"{month} + make_dt_interval({field.get('d', '1')} - 1, {clock})"
    if "S" in field:
        moment = f"timestampadd(MILLISECOND, {field['S']}, {moment})"
    return bound("p", values, moment)


def printed_pattern(pattern: str, *, years: str = "y") -> str:
    """The pattern as Spark's date_format takes it; `years` are the letters that mean the year."""
    spark = ""
    for part in split_pattern(pattern):
        if not part.letter:
            spark += "'" + part.text.replace("'", "''") + "'" if part.text else ""
            continue
        letter = "y" if part.letter in years else part.letter
        if len(part.text) > _PRINTED.get(letter, 0):
            _refuse(pattern, f"Spark prints `{part.text}` in another way, or not at all.")
        spark += letter * len(part.text)
    return literal(spark)


def split_pattern(pattern: str) -> list[Part]:
    """The runs of letters and the texts between them, unquoted."""
    parts: list[Part] = []
    for match in re.finditer(r"'((?:[^']|'')*)'|([A-Za-z])\2*|(.)", pattern, re.DOTALL):
        if match[2]:
            parts.append(Part(match[2], match[0]))
            continue
        text = match[3] if match[3] is not None else match[1].replace("''", "'") or "'"
        if match[3] is not None and text in f"'{_RESERVED}":
            _refuse(pattern, f"`{text}` has a meaning of its own in it; put it in quotes.")
        if parts and not parts[-1].letter:
            text = parts.pop().text + text
        parts.append(Part("", text))
    return parts


def bound(name: str, value: str, body: str) -> str:
    """The body with a value under a name, evaluated once: SQL has no LET.

    Spark does not generate code around it, so it is for what few queries use.
    """
    return f"get(transform(array({value}), {name} -> {body}), 0)"


def constant(text: str, target: DataType) -> str | None:
    """A literal text as a Spark literal of a date or local time, if it is a plain one."""
    try:
        if target.root == "DATE" and re.fullmatch(_DATE, text):
            day = date(*map(int, text.split("-")))
            return f"DATE'{day.isoformat()}'"
        if target.root == "TIME" and re.fullmatch(rf"{_TIME}(\.[0-9]{{0,9}})?", text):
            clock, _, digits = text.partition(".")
            moment = datetime.strptime(clock, "%H:%M:%S")
            return f"TIME'{moment:%H:%M:%S}.{digits[:_SPARK_DIGITS]:0<{_SPARK_DIGITS}}'"
        match = re.fullmatch(rf"({_DATE})(?: ({_TIME})(\.[0-9]{{0,9}})?)?", text)
        if target.root in ("DATE", "TIME") or match is None:
            return None
        moment = datetime.strptime(f"{match[1]} {match[2] or '0:0:0'}", "%Y-%m-%d %H:%M:%S")
    except ValueError:
        return None
    digits = (match[3] or "").strip(".")[: min(target.precision or 0, _SPARK_DIGITS)]
    fraction = f".{digits}" if digits else ""
    return f"TIMESTAMP_NTZ'{moment.isoformat(sep=' ')}{fraction}'"


def _strict_field(letter: str, width: int, pattern: str, *, beside: bool) -> str:
    if letter == "S" and width <= _MAX_DIGITS:
        kept = min(width, 3)
        return f"([0-9]{{{kept}}})[0-9]{{{width - kept}}}"
    if (letter == "y" and width in (2, 4)) or (letter in "MdHms" and width == 2):
        return f"([0-9]{{{width}}})"
    if letter in "MdHms" and width == 1 and not beside:
        return "([0-9]{1,2})"
    return _refuse(pattern, f"`{letter * width}` cannot be read here.")


def _lenient_field(part: Part, pattern: str, *, beside: bool) -> str:
    width = len(part.text)
    if part.letter not in "yMdHmsS" or (part.letter == "y" and width == 2) or width > _MAX_DIGITS:
        _refuse(pattern, f"`{part.text}` cannot be read here.")
    if part.letter == "M" and width > 2:
        _refuse(pattern, "A month cannot be read by its name here.")
    most = width if beside else 4 if part.letter == "y" else 5
    return rf"[ \t]*([0-9]{{1,{most}}}+)"


def _refuse(pattern: str, reason: str) -> NoReturn:
    raise PlanError("UNSUPPORTED_EXPRESSION", expression=pattern, instead=reason)
