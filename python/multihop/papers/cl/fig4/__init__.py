"""CL figure 4."""
