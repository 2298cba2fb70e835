"""CL figure 6."""
