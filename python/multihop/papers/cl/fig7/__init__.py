"""CL figure 7."""
