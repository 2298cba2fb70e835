"""WAKE and its rivals by the length of a chain."""
