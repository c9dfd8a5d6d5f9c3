"""Text → statements, and the dialect's functions in Spark SQL."""
