"""JSON paths as texts → steps."""

from __future__ import annotations

import pytest

from penstock.errors import PlanError
from penstock.sql.json_path import json_path


@pytest.mark.parametrize(
    ("text", "shown", "lax"),
    [
        ("$", "$", False),
        ("lax $", "$", True),
        ("  STRICT  $.a ", "$['a']", False),
        ("lax", "$['lax']", False),
        ("a.b", "$['a']['b']", False),
        ("$.a[0]['b'][\"c d\"]", "$['a'][0]['b']['c d']", False),
        ("$.['a']", "$['a']", False),
        ("$[ 'a' , 'b' ]", "$['a','b']", False),
        ("$[1, -2].*[*].[*]", "$[1,-2][*][*][*]", False),
        ("$[1:][:2][-3:-1]", "$[1:][:2][-3:-1]", False),
        ("$..a..['b']", "$..['a']..['b']", False),
        ("$..*", "$..[*]", False),
        (r"$['it\'s \u0041\n']", "$['it's A\n']", False),
        ("$.größe-1", "$['größe-1']", False),
    ],
)
def test_read(text: str, shown: str, lax: bool) -> None:
    path = json_path(text)
    assert (path.facts()["shown"], path.lax) == (shown, lax)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "cannot be read"),
        ("   ", "cannot be read"),
        ("$.", "cannot be read"),
        ("$a", "cannot be read"),
        ("$..", "cannot be read"),
        ("$...a", "cannot be read"),
        ("$.a b", "['a b']"),
        ("$.[", "cannot be read"),
        ("$.a[", "cannot be read"),
        ("$.a[]", "cannot be read"),
        ("$['a]", "cannot be read"),
        ("$[a]", "cannot be read"),
        ("$.a[0]b", "cannot be read"),
        ("$[1 : 2]", "cannot be read"),
        ("$[:]", "A slice needs"),
        ("$[99999999999]", "too large"),
        ("$[?(@.a)]", "Filters"),
        ("$.a.sum()", "Functions"),
        ("$..[0].a", "After `..`"),
        ("$..*.a", "After `..`"),
    ],
)
def test_refused(text: str, says: str) -> None:
    with pytest.raises(PlanError) as caught:
        json_path(text)
    assert caught.value.code == "UNSUPPORTED_JSON_PATH"
    assert says in str(caught.value)
