"""LIKE and SIMILAR TO: SQL's pattern → Java's regular expression, with what Flink lets through.

In SIMILAR TO a `.` is not escaped, so it stands for any character, as in Flink.
"""

from __future__ import annotations

import re

_SPECIAL = "[]()|^-+*_%?{}"
_ESCAPED_IN_JAVA = "[]()|^-+*?{}$\\."
_LIKE = {"_": ".", "%": "(?s:.*)"}
_OUTSIDE = {**_LIKE, "\\": "\\\\", "$": "\\$"}
_CLASSES = {
    "ALPHA": r"\p{Alpha}",
    "UPPER": r"\p{Upper}",
    "LOWER": r"\p{Lower}",
    "DIGIT": r"\d",
    "SPACE": " ",
    "WHITESPACE": r"\s",
    "ALNUM": r"\p{Alnum}",
}
_CLASS = re.compile(r"\[:([A-Z]+|[a-z]+):\]")


def like_regex(pattern: str, escape: str = "") -> str | None:
    """The regular expression, or None if the escape stands before another character."""
    found = []
    characters = iter(pattern)
    for character in characters:
        if escape and character == escape:
            character = next(characters, "")
            if not character or character not in f"_%{escape}":
                return None
            found.append(_plain(character))
        else:
            found.append(_LIKE.get(character) or _plain(character))
    return "".join(found)


def _plain(character: str) -> str:
    return f"\\{character}" if character in _ESCAPED_IN_JAVA else character


def similar_regex(pattern: str, escape: str = "") -> str | None:
    """The regular expression, or None if the pattern breaks SQL's rules."""
    if escape == ":" and not ("[:" in pattern and ":]" in pattern):
        return None
    found, position = [], 0
    inside = False
    while position < len(pattern):
        character = pattern[position]
        if escape and character == escape:
            escaped = _escaped(pattern[position + 1 : position + 2], escape)
            part, length = escaped, 2
        elif inside:
            part, length = _member(pattern, position)
        else:
            part, length = (None if character == "]" else _OUTSIDE.get(character, character)), 1
        if part is None:
            return None
        if not (escape and character == escape):
            inside = character == "[" or (inside and character != "]")
        found.append(part)
        position += length
    return None if inside else "".join(found)


def _escaped(character: str, escape: str) -> str | None:
    if character and character in _SPECIAL:
        return f"\\{character}" if character in _ESCAPED_IN_JAVA else character
    return character if character == escape else None


def _member(pattern: str, position: int) -> tuple[str | None, int]:
    """What stands at a place inside of `[…]`, and its length."""
    character = pattern[position]
    named = _CLASS.match(pattern, position)
    if named:
        return _CLASSES.get(named[1].upper()), len(named[0])
    if character in "]-^" or character not in _SPECIAL:
        return character, 1
    return None, 1
