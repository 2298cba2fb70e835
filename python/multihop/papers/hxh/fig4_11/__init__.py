"""HxH figure 4.11."""
