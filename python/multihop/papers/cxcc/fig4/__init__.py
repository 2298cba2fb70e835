"""CXCC figure 4."""
