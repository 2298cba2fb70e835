"""Short transfers."""
