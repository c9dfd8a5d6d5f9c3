-- fail: UNSUPPORTED_QUERY
-- says: The table function `values`
-- dialect: clickhouse
SELECT * FROM values('a Int8, b String', (1, 'x'), (2, 'y'));
