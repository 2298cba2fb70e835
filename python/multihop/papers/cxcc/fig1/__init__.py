"""CXCC figure 1."""
