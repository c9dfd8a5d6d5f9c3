-- fail: UNSUPPORTED_QUERY 4:15
-- says: The table function `generateRandom` | numbers
-- dialect: clickhouse
SELECT * FROM generateRandom('a UInt8');
