"""WAKE and its rivals by the distance of stations."""
