"""WAKE and its rivals and the fair optimum."""
