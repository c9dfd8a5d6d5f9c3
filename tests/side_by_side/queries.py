"""Queries that call every aggregate and every window function, with groups of the table's rows."""

from __future__ import annotations

from penstock.sql.clickhouse.type_reader import SIMPLE
from penstock.sql.functions.clickhouse.combinators import NAMES as COMBINED_NAMES
from penstock.sql.functions.clickhouse.over_arrays import OF_ARRAY
from penstock.sql.functions.clickhouse.states import PLAIN_KINDS

_ORDERED = [
    "i8",
    "i64",
    "u8",
    "u64",
    "f32",
    "f64",
    "d9",
    "d38",
    "s",
    "ns",
    "d",
    "d32",
    "t",
    "t3",
    "t6",
    "ni",
    "nf",
    "e",
    "b",
]
_ANY = (*_ORDERED, "uu", "ip4", "nd", "fs", "lc", "tt")
_SUMMED = ["i8", "i32", "u8", "u32", "u64", "plain", "d9", "d18", "ni", "b", "small"]
_FLOATED = ["i8", "i32", "u8", "u32", "u64", "plain", "ni", "b", "small"]
_MOMENTS = ["d", "t", "tt", "t3", "t6", "nd", "nt"]
_PAIRS = ["i8, small", "plain, i32", "ni, plain", "plain, plain"]
_TESTS = ("small > 2", "b", "nb", "u8")
_LISTED = ["i32", "s", "ns", "ni", "d", "d9", "t"]


def _shown(name: str, call: str) -> str:
    """Which order the elements of an array have is open."""
    open_order = name.startswith(("groupArray", "groupUniqArray", "topK"))
    return f"arraySort({call})" if open_order and name != "groupArraySorted" else call


_BITS = ("And", "Or", "Xor")
# aggregate → the arguments of its calls
_ARGUMENTS: dict[str, list[str]] = {
    "count": ["", *_ANY],
    "sum": _SUMMED,
    "sumWithOverflow": ["i8", "i32", "i64", "u8", "u32", "u64", "plain", "ni", "small"],
    "avg": _SUMMED,
    "min": list(_ORDERED),
    "max": list(_ORDERED),
    "any": ["g", "toString(g)"],
    "anyLast": ["g", "toNullable(g)"],
    "argMin": [f"{value}, n" for value in _ANY] + ["ni, n"],
    "argMax": [f"{value}, n" for value in _ANY] + ["ni, n"],
    "uniq": [*_ANY, "i8, s"],
    "uniqExact": [*_ANY, "small, ni"],
    "countDistinct": ["i8", "ns", "f64", "small, ni"],
    **{name: [*_ANY, "i8, s"] for name in ("uniqCombined", "uniqCombined64", "uniqHLL12")},
    **{key: [*_FLOATED, "d9"] for key in ("varPop", "varSamp", "stddevPop", "stddevSamp")},
    **dict.fromkeys(("covarPop", "covarSamp", "corr"), _PAIRS),
    "groupArray": _LISTED,
    "groupUniqArray": _LISTED,
    "quantile": [*_FLOATED, *_MOMENTS, "d9"],
    "median": [*_FLOATED, *_MOMENTS, "d9"],
    "quantileExact": ["i8", "u64", "plain", "d9", "ni"],
    **{f"groupBit{name}": ["i8", "i64", "u8", "u32", "u64", "ni", "b"] for name in _BITS},
}
_LEVELS = ("0.1", "0.5", "0.9", "1")


def _calls(name: str, arguments: list[str]) -> list[str]:
    calls = [_shown(name, f"{name}({given})") for given in arguments]
    several = name.startswith("arg") or arguments is _PAIRS
    for place, given in enumerate(a for a in arguments if several or "," not in a):
        test = _TESTS[place % len(_TESTS)]
        inside = f"{given}, {test}" if given else test
        calls.append(_shown(name, f"{name}If({inside})"))
    return calls


def _states(name: str) -> list[str]:
    arguments = [a for a in _ARGUMENTS[name] if a.split(",")[0] not in ("ns", "ni", "nd", "nf")]
    chosen = [a for a in arguments if "ni" not in a and "Nullable" not in a][:5]
    calls = []
    for given in chosen:
        inside = f"{given}, small > 2" if given else "small > 2"
        calls.append(_shown(name, f"finalizeAggregation({name}State({given}))"))
        if name != "count" or not given:
            calls.append(_shown(name, f"finalizeAggregation({name}StateIf({inside}))"))
            calls.append(_shown(name, f"finalizeAggregation({name}IfState({inside}))"))
    return calls


# No two of these are as frequent in a group.
_FREQUENT = "multiIf(intDiv(n, 6) < 6, 'a', intDiv(n, 6) < 9, s2, 'c')"
# aggregate, its parameters, the arguments of its calls
_PARAMETRIC = [
    ("quantile", "0.25", ["i8", "plain", "ni"]),
    ("quantileExact", "0.75", ["i8", "d9", "ni"]),
    ("quantiles", "0, 0.1, 0.5, 0.99, 1", [*_FLOATED, *_MOMENTS, "d9"]),
    ("quantilesExact", "0.1, 0.5, 0.9, 1", ["i8", "u64", "plain", "d9", "ni"]),
    ("topK", "1", [_FREQUENT]),
    ("topK", "64", ["e", "i8", "s", "ns", "d", "t3", "plain"]),
    ("groupArray", "100", _LISTED),
    ("groupUniqArray", "100", _LISTED),
    ("groupArraySorted", "3", ["i32", "s", "ns", "ni", "d", "d9", "t", "plain"]),
]
_OR = ("OrNull", "OrDefault")


def _parametric() -> list[str]:
    calls = ["arraySort(topK(small))", "arraySort(topKIf(small, b))"]
    for name, parameters, arguments in _PARAMETRIC:
        for place, given in enumerate(arguments):
            test = _TESTS[place % len(_TESTS)]
            calls.append(_shown(name, f"{name}({parameters})({given})"))
            calls.append(_shown(name, f"{name}If({parameters})({given}, {test})"))
    return calls


def _with_suffix(name: str) -> list[str]:
    """-OrNull and -OrDefault, with conditions on both sides of it."""
    known = [a for a in _ARGUMENTS[name] if "," not in a or name.startswith("arg")]
    some = known[:: len(known) // 5 + 1]
    given = list(dict.fromkeys([*some, *(a for a in known if a.startswith("n"))]))
    calls = []
    for suffix in _OR:
        calls += [f"{name}{suffix}({argument})" for argument in given]
        for place, argument in enumerate(given if name != "count" else [""]):
            for test in (_TESTS[place % len(_TESTS)], "small > 100"):
                inside = f"{argument}, {test}" if argument else test
                calls += [f"{name}{suffix}If({inside})", f"{name}If{suffix}({inside})"]
    return calls


def aggregates() -> list[str]:
    """Calls that stand in a query with GROUP BY."""
    plain = [call for name, given in _ARGUMENTS.items() for call in _calls(name, given)]
    levels = [
        f"{name}({level})({value})"
        for name in ("quantile", "quantileExact")
        for level in _LEVELS
        for value in ("i8", "plain", "ni")
    ]
    states = (call for name in PLAIN_KINDS for call in _states(name))
    arrays = (call for name in OF_ARRAY for call in _of_arrays(name))
    combined = (call for name in COMBINED_NAMES for call in _with_suffix(name))
    simple = (call for name in SIMPLE if name in _ARGUMENTS for call in _simple_states(name))
    found = [*plain, *levels, *_parametric(), *combined, *simple, *states]
    return [*found, *arrays, *_MAPS]


def _of_arrays(name: str) -> list[str]:
    """-Array and -ForEach; which of the rows comes first is open."""
    given = ["[g]", "[toUInt8(g), 1]"] if name.startswith("any") else _ARRAYS[name == "sum" :]
    given = given if name != "avg" else _ARRAYS[1:]
    calls = []
    for suffix in ("Array", "ForEach"):
        for argument in given:
            plain = f"{name}{suffix}({argument})"
            chosen = f"{name}{suffix}If({argument}, small > 2)"
            listed = name.startswith("group")
            form = "arraySort({})" if suffix == "Array" else "arrayMap(x -> arraySort(x), {})"
            calls += [form.format(c) if listed else c for c in (plain, chosen)]
    return calls


_ARRAYS = ["aw", "ai", "au", "al"]
_MAPS = tuple(
    call
    for name in ("sumMap", "minMap", "maxMap")
    for call in (
        *(f"{name}(range({n}), range({n}))" for n in ("small", "toUInt64(small)")),
        f"{name}([s2, 'x'], [i8, 1])",
        f"{name}(([s2, 'x'], [plain, 0.5]))",
        f"{name}([d], [d9], [u64])",
        f"{name}(m)",
        f"{name}If([s2], [i8], b)",
        f"{name}If(m, b)",
    )
)


def _simple_states(name: str) -> list[str]:
    given = [a for a in _ARGUMENTS[name] if "," not in a][:3]
    plain = [_shown(name, f"{name}SimpleState({argument})") for argument in given]
    return plain + [_shown(name, f"{name}SimpleStateIf({a}, small > 2)") for a in given]


def merges() -> list[tuple[str, str]]:
    """A state of each group, and what is made of them all."""
    found = []
    for name in PLAIN_KINDS:
        given = next(a for a in _ARGUMENTS[name] if "," not in a or name.startswith("arg"))
        if name.startswith("any"):
            given = "7"  # Which of the groups comes first is open.
        found += _merges(name, "", given)
        found += _merges(name, "If", f"{given}, small > 2" if given else "small > 2")
    return found


def _merges(name: str, suffix: str, given: str) -> list[tuple[str, str]]:
    state, called = f"{name}{suffix}State({given})", f"{name}{suffix}Merge"
    answers = (f"{called}(s)", f"finalizeAggregation({called}State(s))")
    return [(state, _shown(name, answer)) for answer in answers]


_ORDER = "PARTITION BY g ORDER BY n"
_TIES = "PARTITION BY g ORDER BY small"
_WHOLE = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
WINDOWS = (
    *(f"{name}() OVER ({_TIES})" for name in ("rank", "dense_rank", "percent_rank")),
    *(f"row_number() OVER ({_ORDER})", f"ntile(4) OVER ({_ORDER})", f"cume_dist() OVER ({_TIES})"),
    *(f"{name}(i32) OVER ({_ORDER})" for name in ("lag", "lead")),
    *(f"{name}(s, 2) OVER ({_ORDER})" for name in ("lag", "lead")),
    *(f"{name}(ni, 1, 5) OVER ({_ORDER})" for name in ("lag", "lead")),
    *(f"{name}(u64, 2) OVER ({_ORDER} {_WHOLE})" for name in ("lagInFrame", "leadInFrame")),
    *(f"{name}(ns) OVER ({_ORDER} {_WHOLE})" for name in ("lagInFrame", "leadInFrame")),
    *(f"nth_value({value}, 2) OVER ({_ORDER} {_WHOLE})" for value in ("i32", "ns", "d")),
    *(f"first_value({value}) OVER ({_ORDER})" for value in ("i32", "s", "d")),
    *(f"last_value({value}) OVER ({_ORDER} {_WHOLE})" for value in ("i32", "s", "d")),
    *(f"sum({value}) OVER ({_ORDER})" for value in ("i8", "u8", "ni", "d9")),
    *(f"{name}(i32) OVER ({_TIES})" for name in ("min", "max", "count", "avg")),
    f"sum(i32) OVER ({_ORDER} ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)",
    f"max(d) OVER ({_ORDER} ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING)",
)
