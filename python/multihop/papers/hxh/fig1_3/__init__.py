"""HxH figure 1.3."""
