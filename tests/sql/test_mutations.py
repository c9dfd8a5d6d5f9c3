"""No text makes the planner fail in any other way than with a located error of ours."""

from __future__ import annotations

import random
import time

from penstock.errors import PenstockError
from penstock.plan.script import plan_script
from penstock.sql.parse import parse
from tests.case_files import FOLDER

_SEED = 20240229
_VARIANTS = 2000
_LINES = 2000
# Generous: on the slowest machine seen it takes a quarter of it.
_LIMIT_S = 8.0
_PIECES = (
    *("'", '"', "`", "(", ")", ",", ";", ".", "/*", "*/", "/*+", "--", "=", "<", ">", "\n", "\\"),
    *("SELECT", "FROM", "WITH", "NOT", "NULL", "AS", "TABLE", "0", "1e", "x'", "ROW<", "é", "\x00"),
)


def _sources() -> list[str]:
    folders = ("errors", "statements", "documents", "blink", "stateless")
    paths = (path for folder in folders for path in sorted((FOLDER / folder).glob("*.sql")))
    return [path.read_text(encoding="utf-8") for path in paths]


def _mutated(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text))
    kind = chance.randrange(4)
    if kind == 0:
        return text[:place]
    if kind == 1:
        return text[:place] + text[place + chance.randrange(1, 9) :]
    if kind == 2:
        return text[:place] + chance.choice(_PIECES) + text[place:]
    other = chance.randrange(len(text))
    return text[:place] + text[other : other + 40] + text[place:]


def test_broken_scripts_fail_with_our_errors_only() -> None:
    chance = random.Random(_SEED)
    sources = _sources()
    for _ in range(_VARIANTS):
        text = _mutated(chance.choice(sources), chance)
        try:
            plan_script(parse(text), name="mutated")
        except PenstockError as error:
            for one in (error, *error.also):
                assert one.span or one.code in ("EMPTY_SCRIPT", "UNKNOWN_BINDING"), (one, text)
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}\n{text}") from error


def test_a_long_script_is_checked_in_time() -> None:
    part = """CREATE TABLE t{n} (
  id BIGINT,
  name STRING,
  ts TIMESTAMP(3),
  up AS UPPER(name)
) WITH (
  'connector' = 'kafka',
  'topic' = 't{n}',
  'properties.bootstrap.servers' = 'localhost:9092',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);
CREATE VIEW v{n} AS
SELECT id, up, CASE WHEN id > {n} THEN 'a' ELSE name END AS kind
FROM t{n}
WHERE id IS NOT NULL AND name <> '';
CREATE TABLE s{n} (id BIGINT, up STRING, kind STRING) WITH (
  'connector' = 'kafka', 'topic' = 's{n}', 'format' = 'json',
  'properties.bootstrap.servers' = 'localhost:9092');
INSERT INTO s{n} SELECT id, up, kind FROM v{n};
"""
    script = "".join(part.format(n=n) for n in range(_LINES // part.count("\n")))
    begin = time.process_time()
    plan = plan_script(parse(script), name="long")
    assert len(plan.queries) == _LINES // part.count("\n")
    assert time.process_time() - begin < _LIMIT_S
