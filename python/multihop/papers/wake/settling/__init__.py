"""How soon WAKE and its rivals settle."""
