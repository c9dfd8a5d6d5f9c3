"""The only folder that imports pyspark: session, sources, sinks, plan → DataFrame."""
