"""CL figure 9."""
