"""WAKE and its rivals at overload."""
