"""HxH figure 4.6."""
