"""HxH table 4.4."""
