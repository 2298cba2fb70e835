"""HxH figure 2.1."""
