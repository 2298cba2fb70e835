"""CL figure 5."""
