-- fail: INVALID_QUERY 4:50
-- says: Cannot UPDATE key column `id`
CREATE TABLE t (id UInt64, level String) ENGINE = MergeTree ORDER BY id;
ALTER TABLE t UPDATE level = 'a' WHERE 1, UPDATE id = 2 WHERE id = 1;
