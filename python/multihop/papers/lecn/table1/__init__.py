"""LECN table 1."""
