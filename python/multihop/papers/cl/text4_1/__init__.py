"""CL section 4.1."""
