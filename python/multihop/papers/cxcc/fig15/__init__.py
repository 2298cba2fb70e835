"""CXCC figure 15."""
