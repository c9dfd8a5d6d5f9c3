"""One table of edge and random values, as literals of ClickHouse, and names for kinds of columns.

`ROWS` lines: each column repeats its values in an order of its own, so that columns meet in many
pairs. The seed is fixed: a difference is found again.
"""

from __future__ import annotations

import random
from itertools import product

ROWS = 64
_SEED = 20261117


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _texts(*texts: str) -> list[str]:
    return [_quoted(text) for text in texts]


def _integers(bits: int, *, signed: bool) -> list[str]:
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    dice = random.Random(_SEED + bits + signed)
    near = [n for n in (-100, -7, -2, -1, 0, 1, 2, 3, 10, 100, 127, 200) if low <= n <= high]
    return [str(n) for n in (low, low + 1, high, high - 1, *near, *_spread(dice, low, high))]


def _spread(dice: random.Random, low: int, high: int) -> list[int]:
    return [dice.randint(low, high) for _ in range(6)] + [dice.randint(0, 50) for _ in range(4)]


_FLOATS = (
    *("nan", "inf", "-inf", "0", "-0.", "1", "-1", "0.5", "-0.5", "1.5", "2.5", "-2.5", "0.1"),
    *("3.14159", "-7.25", "1e10", "1e-10", "123456.789", "16777216", "100", "255.9", "-128.5"),
)
_WIDE_FLOATS = (*_FLOATS, "1e300", "-1e300", "1e-300", "9007199254740993", "1e18", "4294967295.5")
_WORDS = (
    *("", "a", "abc", "ABC", "Hello, World!", "  both  ", "añb", "ÀÉÎ straße", "日本語", "😀 ok"),
    *("a,b,,c", ",", "x=1&y=2", "10%", "under_score", "back\\slash", "it's", "tab\there", "a.b.c"),
    *("line\nbreak", "aaa", "abcabc", "0", "42", "-1", "true", "null", "(a) [b] {c}", "zażółć"),
)
_NUMBERS_IN_TEXT = (
    *("0", "1", "-1", "42", "+7", "007", "255", "256", "-128", "-129", "65535", "65536", "1.5"),
    *("-2.75", "1e3", "1E-2", ".5", "5.", "2147483647", "2147483648", "4294967296", "", " 1"),
    *("1 ", "abc", "12abc", "9223372036854775807", "9223372036854775808", "18446744073709551615"),
    *("18446744073709551616", "nan", "inf", "-inf", "0x10", "1_000", "--1", "1.999999999", "99.99"),
)
_TIMES_IN_TEXT = (
    *("2024-02-29", "2024-02-30", "2024-2-3", "20240229", "1970-01-01", "1969-12-31", "2149-06-06"),
    *("2024-01-31 10:11:12", "2024-01-31T10:11:12", "2024-01-31 10:11:12.345", "2024-13-01"),
    *("2106-02-07 06:28:15", "2024-01-31 10:11", "2024-01-31 10:11:12Z", "1700000000", "", "abc"),
    *("0000-00-00", "2024-01-31 25:00:00", "2024-1-1 1:2:3", "2300-01-01 00:00:00", "12345"),
    *("2024-03-31 02:30:00", "1700000000.5", "2024-01-31 10:11:12.123456", "1900-01-01 00:00:00"),
)
# Nothing without a year: what the clock says is part of its value.
_LOOSE_TIMES = (
    *("2024-01-31 10:11:12", "2024/01/31 10:11", "31.01.2024", "1/2/2024", "2/13/2024", "01-02-24"),
    *("31 Jan 2024 5", "Jan 31 2024", "31/Jan/2024:10:11:12 +0300", "January 31, 2024 10:11 PM"),
    *("Wed, 31 Jan 2024 10:11:12 GMT", "Wednesday 31 jan 2024", "20240131", "20240131101112"),
    *("202401", "2024", "2024-1-3T4:5:6.789Z", "2024-01-31T10:11:12+0530", "1700000000"),
    *("1700000000123", "1700000000.5", "999999999", "2024-01-31 25:70:99", "2024-02-30", ""),
    *("abc", "2024-01-31 x", "2024-01-31T10:11:12.123456789-03:30", "12/31/1999 12:00 am"),
    *("1900-01-01", "2200-01-01 00:00:00.123", "2024 Jan 31 10:11:12", "10:11:12 2024-01-31"),
    *(
        "2024-01-31, 10:11:12",
        "2024-01-31,",
        "2024-13-01",
        "13/13/2024",
        "Married 2024",
        " 2024-1-1",
    ),
    *("2024-01-31 10:11:12 MSK", "20240131T101112Z", "2024-01-31-101112", "2024.01.31 1:2:3 pm"),
    *("2024-01-31 10:11:12.", "2024-01-31 10:11:12.1.2", "0000-00-00", "31 2024", "2024-01-31é"),
    *("2024-03-31 02:30:00", "2024-03-10 02:30:00", "1 Jan 2070", "1-Jan-70", "5 Feb, 2024 1:02"),
)
_DOCUMENTS = (
    *(
        '{"a": 1, "a": 2}',
        "[1e-7, 1e21, 0.1, -0.0, -0, 1.0, 123456789012345678]",
        '{"a": "\\ud83d"}',
    ),
    *(
        '{"a": {"c": "x/y\\"\\u2028\\u0001", "b": [ ]}, "b": {"a": [true, null]}}',
        '[[1], [], ["x"]]',
    ),
    *('{"a": ["1", "x", null, true, 300, -1, 2.7]}', '{"a": "nan"}', '{"a": 18446744073709551616}'),
    *('{"a": {"x": 1, "y": "2", "z": null, "w": [3]}}', '{"a":5,"b":[1,"]"],"c":"q\\"r"}', "[1,]"),
    *('{"a": 1, "b": [1, 2.5, "x"], "c": {"d": true, "e": null}}', '{"a": "text"}', "[1, 2, 3]"),
    *('{"a": -5, "b": {"x": 1}}', '{"a": 1.5}', '{"a": true}', '{"a": null}', "{}", "[]", ""),
    *('{"a": 18446744073709551615}', '{"a": -9223372036854775808}', '{"a": 1e3}', "null", "5"),
    *('{"a": [1, [2, 3]]}', '{"a": {"b": {"c": "deep"}}}', '"text"', "{broken", '{"a": "12"}'),
    *('{"a": "3.7"}', '{"a": 1e400}', '{"b": 1, "a": "é\\u00e9\\n"}', '{"a": 0}', '{"a": 300}'),
)
_ADDRESSES = (
    *("https://user:pw@www.example.com:8080/a/b.html?x=1&y=2#top", "http://example.com", ""),
    *("http://example.com/", "https://sub.domain.co.uk/path?q=%D0%B0+b", "ftp://files.org/x"),
    *("//example.com/p", "example.com/p?x=1", "mailto:a@b.c", "http://[::1]/x", "/just/path"),
    *("http://www.example.com?x", "http://example.com/#f", "http://a.b.example.museum/?a=1&a=2"),
    *(
        "https://",
        "mailto:ab",
        "é..b://c.d",
        "a.b@c",
        "http://a.b#x=1",
        "x.y?#a?b",
        "1.2.3.4::www.",
    ),
    *(
        "http://a.b/?ax=0&x=5#x=6",
        "a.b#c?x=1",
        "http://x.com./p",
        "http://a;b.c/",
        "abcdefghijklmn://a.b",
    ),
    *("not a url", "http://127.0.0.1:80/", "HTTP://UPPER.COM/Path", "http://www.test.ru/a?b#c?d"),
)
_HEXADECIMAL = ("", "00", "41", "4142", "fFfF", "e697a5", "616263", "0A")
_BASE64 = ("", "YQ==", "YWJj", "SGVsbG8=", "w7E=", "5pel5pys")
_ADDRESS_4 = ("0.0.0.0", "127.0.0.1", "255.255.255.255", "10.1.2.3", "192.168.0.254")
_ADDRESS_6 = ("::", "::1", "2001:db8::ff00:42:8329", "::ffff:10.1.2.3", "fe80::1")
_ADDRESS_TEXTS = (*_ADDRESS_4, *_ADDRESS_6, "256.1.1.1", "1.2.3", "", "abc", "01.02.03.04")
_UUIDS = (
    *("00000000-0000-0000-0000-000000000000", "61f0c404-5cb3-11e7-907b-a6006ad3dba0"),
    *("ffffffff-ffff-ffff-ffff-ffffffffffff", "0F0E0D0C-0B0A-0908-0706-050403020100"),
)
_DAYS = (
    *("1970-01-01", "1970-01-02", "2149-06-06", "2024-02-29", "2023-12-31", "2024-01-01"),
    *("2000-03-31", "2024-12-30", "2021-01-03", "2106-02-07", "1999-11-30", "2024-10-27"),
)
_FAR_DAYS = (*_DAYS, "1900-01-01", "1950-05-05", "1969-12-31", "2200-02-28", "2299-12-31")
_MOMENTS = (
    *("1970-01-01 00:00:00", "1970-01-01 23:59:59", "2106-02-07 06:28:15", "2024-02-29 12:34:56"),
    *("2023-12-31 23:59:59", "2024-03-31 00:59:59", "2024-03-31 01:00:00", "2024-10-27 03:30:00"),
    *("2024-10-26 23:30:00", "2024-11-03 07:30:00", "2000-02-29 00:00:00", "2024-03-10 07:30:00"),
    *("2021-01-03 05:07:09", "1999-12-31 12:00:00"),
)
_PRECISE = (
    *(f"{moment}.{part}" for moment, part in zip(_MOMENTS, ("000000", "999999") * 7, strict=True)),
    *("2024-02-29 12:34:56.789012", "1969-12-31 23:59:59.500000", "1900-01-01 00:00:00.000001"),
    *("2299-12-31 23:59:59.999999", "2024-01-31 00:00:00.001000"),
)


def _instants(moments: tuple[str, ...], digits: int) -> list[str]:
    if not digits:
        return [f"toDateTime('{moment}', 'UTC')" for moment in moments]
    return [f"toDateTime64('{moment}', {digits}, 'UTC')" for moment in moments]


_INT_ARRAYS = ["[]", "[0]", "[1, 2, 3]", "[3, 1, 2, 3, 1]", "[5, 5, 5]", "[100, 0, 7, 127]"]
_SIGNED_ARRAYS = [*_INT_ARRAYS, "[-1, -2147483648, 2147483647]", "[-5, 3, -5, 0]"]

# name → ClickHouse's type, its values
COLUMNS: dict[str, tuple[str, list[str]]] = {
    **{f"i{bits}": (f"Int{bits}", _integers(bits, signed=True)) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (f"UInt{bits}", _integers(bits, signed=False)) for bits in (8, 16, 32, 64)},
    "small": ("UInt8", [str(n) for n in (0, 1, 2, 3, 4, 5, 7, 11)]),
    "step": ("Int16", [str(n) for n in (-400, -12, -5, -3, -2, -1, 0, 1, 2, 3, 4, 9, 31, 400)]),
    "f32": ("Float32", [*_FLOATS]),
    "f64": ("Float64", [*_WIDE_FLOATS]),
    "plain": ("Float64", ["0", "1", "-1", "0.25", "-3.75", "12.5", "100", "2", "1e5", "0.125"]),
    "b": ("Bool", ["true", "false"]),
    "d9": ("Decimal(9, 2)", ["0", "1", "-1", "0.05", "2.5", "-2.55", "9999999.99", "-1234.56"]),
    "d18": ("Decimal(18, 4)", ["0", "1.0001", "-0.0005", "12345678901234.5678", "-99.9999", "7"]),
    "d38": ("Decimal(38, 10)", ["0", "1.5", "-2.5", "12345678901234567890.0123456789", "-0.1"]),
    "s": ("String", _texts(*_WORDS)),
    "s2": ("String", _texts("", "a", "b", "abc", "l", "ñ", "語", ",", "bc", "a,", "A", "%", "\\")),
    "lc": ("LowCardinality(String)", _texts("", "red", "Green", "blue", "red ", "añb")),
    "fs": ("FixedString(5)", _texts("", "abcde", "xy", "ñb", "0")),
    "ns": ("Nullable(String)", ["NULL", *_texts("", "x", "añb", "NULL", "a b")]),
    "num": ("String", _texts(*_NUMBERS_IN_TEXT)),
    "tim": ("String", _texts(*_TIMES_IN_TEXT)),
    "js": ("String", _texts(*_DOCUMENTS)),
    "url": ("String", _texts(*_ADDRESSES)),
    "hx": ("String", _texts(*_HEXADECIMAL)),
    "b64": ("String", _texts(*_BASE64)),
    "ipt": ("String", _texts(*_ADDRESS_TEXTS)),
    "uut": ("String", _texts(*_UUIDS, "", "abc", "61f0c4045cb311e7907ba6006ad3dba0")),
    "d": ("Date", _texts(*_DAYS)),
    "d32": ("Date32", _texts(*_FAR_DAYS)),
    "t": ("DateTime", _instants(_MOMENTS, 0)),
    "tt": ("DateTime('Asia/Tokyo')", _instants(_MOMENTS, 0)),
    "ny": ("DateTime('America/New_York')", _instants(_MOMENTS, 0)),
    "t3": ("DateTime64(3)", _instants(_PRECISE, 3)),
    "t6": ("DateTime64(6, 'Europe/Berlin')", _instants(_PRECISE, 6)),
    "nd": ("Nullable(Date)", ["NULL", *_texts(*_DAYS)]),
    "nt": ("Nullable(DateTime64(3, 'UTC'))", ["NULL", *_instants(_PRECISE, 3)]),
    "ni": ("Nullable(Int32)", ["NULL", "0", "1", "-1", "7", "2147483647", "-2147483648"]),
    "nu": ("Nullable(UInt64)", ["NULL", "0", "1", "18446744073709551615", "42"]),
    "nf": ("Nullable(Float64)", ["NULL", "0", "-0.", "1.5", "nan", "inf", "-2.25"]),
    "nb": ("Nullable(Bool)", ["NULL", "true", "false"]),
    "e": ("Enum8('a' = 1, 'b c' = -3, '' = 0, 'zz' = 100)", _texts("a", "b c", "", "zz")),
    "e2": ("Enum16('a' = 1000, 'x' = -1000)", _texts("a", "x")),
    "uu": ("UUID", _texts(*_UUIDS)),
    "ip4": ("IPv4", _texts(*_ADDRESS_4)),
    "ip6": ("IPv6", _texts(*_ADDRESS_6)),
    "au": ("Array(UInt8)", _INT_ARRAYS),
    "ai": ("Array(Int32)", _SIGNED_ARRAYS),
    "al": ("Array(UInt64)", [*_INT_ARRAYS, "[18446744073709551615, 1]"]),
    "af": ("Array(Float64)", ["[]", "[nan]", "[1.5, nan, -2]", "[inf, 0, -0.]", "[0.1, 0.2, 0.3]"]),
    "aw": ("Array(String)", ["[]", "['']", "['b', 'a', 'b']", "['añb', '日', 'a']", "['x,y', '']"]),
    "an": ("Array(Nullable(Int32))", ["[]", "[NULL]", "[1, NULL, 3, NULL]", "[2, 2]", "[3, 1]"]),
    "aa": ("Array(Array(UInt8))", ["[]", "[[]]", "[[1, 2], [3]]", "[[], [4, 4]]"]),
    "ad": ("Array(Date)", ["[]", "['2024-02-29', '1970-01-01']", "['2000-01-01']"]),
    "ae": ("Array(Decimal(9, 2))", ["[]", "[1.25, -2.5]", "[0.1, 0.2, 0.3]"]),
    "m": ("Map(String, UInt64)", ["{}", "{'a': 1}", "{'b': 2, 'a': 18446744073709551615}"]),
    "mi": ("Map(Int32, String)", ["{}", "{1: 'x', -1: ''}", "{0: 'z'}"]),
    "tu": ("Tuple(Int8, String)", ["(1, 'x')", "(-128, '')", "(0, 'añb')", "(1, 'w')"]),
    "tn": ("Tuple(a UInt64, b String)", ["(1, 'x')", "(18446744073709551615, '')"]),
    "loose": ("String", _texts(*_LOOSE_TIMES)),
}

# Texts for one family of functions each.
_SPECIAL = ("tim", "loose", "js", "url", "hx", "b64", "ipt", "uut")
_INTEGERS = "i8 i16 i32 i64 u8 u16 u32 u64"
_DECIMALS = "d9 d18 d38"
_MOMENT_NAMES = "t tt ny t3 t6 nt"
# kind → columns of it, as a call of `calls` names them in braces
KINDS: dict[str, list[str]] = {
    "int": _INTEGERS.split(),
    "number": f"{_INTEGERS} f32 f64 {_DECIMALS} b ni nf nu".split(),
    "real": f"{_INTEGERS} f32 f64 b ni nf".split(),
    "float": ["f32", "f64", "nf"],
    "decimal": _DECIMALS.split(),
    "operand": ["i8", "i32", "i64", "u8", "u64", "f32", "f64", "d9", "d38", "b", "ni"],
    "text": ["s", "lc", "fs", "ns", "num"],
    "string": ["s", "s2", "lc", "ns", "num"],
    "time": _MOMENT_NAMES.split(),
    "day": ["d", "d32", "nd"],
    "moment": f"d d32 nd {_MOMENT_NAMES}".split(),
    "array": ["au", "ai", "al", "af", "aw", "an", "aa", "ad", "ae"],
    "numbers": ["au", "ai", "al", "af", "an", "ae"],
    "condition": ["small", "b", "nb", "i8", "nf"],
    "any": [name for name in COLUMNS if name not in _SPECIAL],
    "value": [name for name in COLUMNS if name not in (*_SPECIAL, "s", "s2", "lc", "ns", "fs")],
    "plain": [n for n, (type_, _) in COLUMNS.items() if "(" not in type_ and n not in _SPECIAL],
    "map": ["m", "mi"],
    "nullable": ["ns", "ni", "nu", "nf", "nb", "nd", "nt"],
}


def rows() -> list[list[str]]:
    """The lines of the table: the first column is the number of the line."""
    columns = []
    for place, (_, values) in enumerate(COLUMNS.values()):
        dice = random.Random(_SEED + place)
        many = values * (ROWS // len(values) + 1)
        dice.shuffle(many)
        # Every value is there, however many there are.
        missing = [value for value in values if value not in many[:ROWS]]
        columns.append((missing + many)[:ROWS])
    return [[str(n), *line] for n, line in enumerate(zip(*columns, strict=True))]


def create_table() -> list[str]:
    """Statements of ClickHouse that make the table."""
    columns = ", ".join(f"`{name}` {type_}" for name, (type_, _) in COLUMNS.items())
    lines = ", ".join(f"({', '.join(line)})" for line in rows())
    return [
        f"CREATE TABLE t (n UInt16, {columns}) ENGINE = Memory",
        f"INSERT INTO t VALUES {lines}",
    ]


def expanded(call: str) -> list[str]:
    """A call for each choice of columns of the kinds it names in braces."""
    kinds = [kind for kind in KINDS if "{" + kind + "}" in call]
    places = [kind for kind in kinds for _ in range(call.count("{" + kind + "}"))]
    found = []
    for chosen in product(*(KINDS[kind] for kind in places)):
        text = call
        for kind, column in zip(places, chosen, strict=True):
            text = text.replace("{" + kind + "}", column, 1)
        found.append(text)
    return found
