"""LECN table 2."""
