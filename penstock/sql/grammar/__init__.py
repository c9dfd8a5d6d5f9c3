"""The grammar of statements: Flink's, which Blink's inherits; queries are read by `sql.flink`."""
