-- fail: WRONG_ARGUMENTS 4:8
-- says: (Enum8('a' = 1))
CREATE TABLE t (x Enum8('a' = 1)) ENGINE = Memory;
SELECT avg(x) FROM t;
