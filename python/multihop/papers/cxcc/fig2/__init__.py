"""CXCC figure 2."""
