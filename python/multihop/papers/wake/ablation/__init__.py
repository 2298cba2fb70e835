"""WAKE without one of its rules."""
