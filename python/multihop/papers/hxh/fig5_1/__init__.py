"""HxH figure 5.1."""
