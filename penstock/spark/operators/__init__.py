"""Bridges to the stateful operators of the Java module, one file each."""
