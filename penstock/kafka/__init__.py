"""The wire without Spark: topics, offsets, messages, and the embedded broker."""
