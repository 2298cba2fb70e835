"""HxH figure 4.3."""
