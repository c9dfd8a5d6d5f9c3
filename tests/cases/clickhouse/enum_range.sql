-- fail: UNSUPPORTED_TYPE 3:19
-- says: -128 and 127
CREATE TABLE a (x Enum8('a' = 200)) ENGINE = Memory;
