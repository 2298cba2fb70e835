"""HxH table 4.1."""
