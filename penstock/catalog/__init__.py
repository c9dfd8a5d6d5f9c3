"""Statements → the tables and views known so far."""
