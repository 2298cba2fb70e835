"""WAKE and its rivals by rate and length of packets."""
