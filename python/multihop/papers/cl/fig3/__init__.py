"""CL figure 3."""
