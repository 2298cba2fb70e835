"""HxH figure 4.15."""
