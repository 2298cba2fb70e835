"""HxH figure 4.8."""
