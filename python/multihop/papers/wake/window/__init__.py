"""WAKE and rivals with its contention window."""
