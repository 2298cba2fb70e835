"""HxH table 4.3."""
