"""HxH figure 4.5."""
