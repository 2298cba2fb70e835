"""LECN table 3."""
