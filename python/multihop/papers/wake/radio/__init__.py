"""WAKE and its rivals with other radios."""
