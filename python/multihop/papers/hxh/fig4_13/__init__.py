"""HxH figure 4.13."""
