-- fail: INVALID_SETTING 3:1
-- says: 'table.exec.sink.type-length-enforcer' | 'IGNORE', 'TRIM_PAD'
SET 'table.exec.sink.type-length-enforcer' = 'ERROR';
