-- fail: INVALID_QUERY 4:24
-- says: at most 1000000 rows
-- dialect: clickhouse
SELECT number + 1 FROM numbers(10000000);
