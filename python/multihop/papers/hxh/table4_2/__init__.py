"""HxH table 4.2."""
