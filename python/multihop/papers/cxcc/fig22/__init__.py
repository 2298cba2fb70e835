"""CXCC figure 22."""
