"""CXCC figure 5."""
