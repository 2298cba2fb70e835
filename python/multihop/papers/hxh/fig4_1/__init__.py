"""HxH figure 4.1."""
