"""WAKE and its rivals where nodes move."""
