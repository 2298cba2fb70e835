"""WAKE and its rivals below the knee."""
