"""CXCC figure 17."""
