"""CL figure 8."""
