"""The JVM side on this machine: Java, the jars to fetch, and Penstock's own Java module."""
