"""WAKE and its rivals in random networks."""
