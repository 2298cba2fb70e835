"""CL figure 2."""
