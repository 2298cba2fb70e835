"""HxH figure 1.7."""
