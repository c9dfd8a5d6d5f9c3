"""Where Penstock may differ from ClickHouse, and why; the reference says so too.

A rule is a kind of difference, the expressions it is for, a reason. `fails`: the job stops where
ClickHouse wraps around or clamps. `refused`: ClickHouse stops where Penstock has a value. `digits`:
a Float64 may differ in its last digits. `differs`: another value.
"""

from __future__ import annotations

import math
import re

_TOLERANCE = 1e-13
_INTEGER = r"(i8|i16|i32|i64|u8|u16|u32|u64|ni|nu)"
_FLOAT = r"(f32|f64|nf|plain)"
_MOMENT = r"(d|d32|nd|t|tt|ny|t3|t6|nt)"
# kind, expressions, reason
RULES: tuple[tuple[str, str, str], ...] = (
    (
        "fails",
        r"^-|negate\(|plus\(|minus\(|multiply\(|-> |arrayDifference",
        "numbers wrap around",
    ),
    (
        "fails",
        r"^(add|subtract|date_?(add|sub|Add|Sub)|timestamp_(add|sub))",
        "moments wrap around",
    ),
    ("fails", rf"^{_MOMENT} [+-] ", "moments wrap around"),
    ("fails", rf"^(CAST\({_MOMENT} AS|to(Date|DateTime)\({_MOMENT})", "moments wrap around"),
    ("fails", r"^if\(b, t, d\)", "a Date past the last DateTime is clamped"),
    ("fails", rf"^(CAST\({_FLOAT} AS|to\w+\({_FLOAT}|intDiv\()", "Floats beyond an integer"),
    ("fails", rf"^to(U?Int|Decimal)\w+\({_MOMENT}", "moments beyond an integer"),
    ("fails", r"^to(Decimal|U?Int)\w+\((d9|d18|d38|i64|u64|i32|u32|nu|ni)", "Decimals wrap around"),
    *(
        (kind, r"^(greatest|least)\((d9|d18, u64|i64, d9|u64, d(9|18))", "integers wrap around")
        for kind in ("fails", "differs")
    ),
    ("fails", r"^(divide|modulo|intDiv)\(.*(d9|d18|d38)", "Decimals and UInts wrap around"),
    (
        "fails",
        r"^(round|roundBankers|floor|ceiling)\((d|i|u|ni|nu)|^toUnixTimestamp\((d|nd)",
        "rounding and days past the limits wrap around",
    ),
    (
        "differs",
        rf"^(round|roundBankers|floor|ceiling)\({_INTEGER}, -",
        "rounding past the limits wraps around",
    ),
    ("fails", r"^accurateCast\(i64, 'Float", "numbers beyond 2^53"),
    ("differs", r"^accurateCast\w+\(i64, 'Float", "numbers beyond 2^53"),
    ("differs", r"^arrayReduce\('avg', al", "the sum wraps around"),
    ("digits", r"^(a?(sin|cos|tan)h?|exp|exp2|exp10|log|log2|log10|log1p|cbrt|sqrt|pow)\(", "libm"),
    ("digits", r"^(simpleJSON|visitParam)ExtractFloat", "ClickHouse reads Floats in haste"),
    ("digits", r"^(hypot|atan2|degrees|radians|power|ln)\(", "libm"),
    ("differs", r"^(pow|atan2)\(f64, f32\)", "numbers below 1e-300, and -0"),
    ("differs", rf"^modulo\(.*{_FLOAT}|^modulo\({_FLOAT}", "very large operands"),
    ("differs", r"^(nf|f32|f64) IN", "-0 is not in a set of 0"),
    ("differs", r"^array(Distinct|Uniq)\(af\)", "-0 is another value than 0"),
    ("differs", r"^arrayAvg\(.*al\)", "the sum wraps around"),
    ("differs", r"avg\w*\((u64|al)", "the sum wraps around"),
    ("digits", r"avg\w*\(d", "the sum of Decimals is rounded once"),
    ("digits", r"^(quantiles?|median)(If)?\(", "between two values that are equal is that value"),
    ("differs", r"^quantiles(If)?\(.*\((t6|nt)", "the last digit of a moment between two others"),
    ("differs", r"uniq\w*State\w*\(f|uniq\w*\(uu", "-0; ClickHouse's estimate of few UUIDs"),
    ("refused", r"d9|d18|d38", "Decimals compared with large integers overflow"),
    ("refused", r"^(modulo|intDiv)\(", "the smallest integer by -1; NULL by 0"),
    ("refused", r"^like\(s, s2\)", "a backslash at the end of a pattern"),
    ("refused", r"^(CAST\(ipt|toBool\(lc)", "texts that ClickHouse reads by another rule"),
    ("differs", rf"^age\(.*{_MOMENT}", "beyond 1970 to 2106"),
    ("differs", rf"^(dateDiff|date_diff|timestamp_diff)\(.*{_MOMENT}", "beyond 1970 to 2106"),
    ("differs", r"^(date_trunc|toStartOf\w+|toLastDayOfMonth|toMonday|toRelative\w+)\(", "1970"),
    ("differs", r"^(d < t|if\(b, t, d\)|toDayOfYear\(d32|formatDateTime\(d32)", "limits of types"),
    (
        "differs",
        r"^(fromUnixTimestamp64\w+|toDate32|toDateTime64)\((i64|u64|f|d)",
        "limits of types",
    ),
    ("differs", r"^(CAST\((t3|t6|nt) AS DateTime\)|toDateTime\((t3|t6|nt))", "before 1970"),
    ("differs", r"^toTypeName\((lc|tn)\)", "LowCardinality, and types on several lines"),
    ("differs", r"^toIPv4OrDefault\(", "zeros in front of a number"),
    (
        "differs",
        r"^toDateTime64(OrNull|OrZero)?\(tim",
        "years before 1970 in texts, parts of seconds",
    ),
)
_COMPILED = [(kind, re.compile(pattern)) for kind, pattern, _ in RULES]


def explained(sql: str, mine: str | None, theirs: str | None) -> bool:
    """Whether a rule covers this difference."""
    return any(_covers(kind, mine, theirs) for kind, pattern in _COMPILED if pattern.search(sql))


def _covers(kind: str, mine: str | None, theirs: str | None) -> bool:
    if kind == "fails":
        return mine is None
    if kind == "refused":
        return theirs is None
    if mine is None or theirs is None:
        return False
    return kind == "differs" or _close(mine, theirs)


def _close(mine: str, theirs: str) -> bool:
    """Numbers, or arrays of them."""
    ours, others = (text.strip("[]").split(",") for text in (mine, theirs))
    try:
        pairs = [(float(a), float(b)) for a, b in zip(ours, others, strict=True)]
    except ValueError:
        return False
    return all(math.isclose(a, b, rel_tol=_TOLERANCE) for a, b in pairs)
