-- dialect: clickhouse
-- fail: UNSUPPORTED_SETTING 5:5
-- says: Leave it out
SET join_use_nulls = 1;
SET any_join_distinct_right_table_keys = 1;
