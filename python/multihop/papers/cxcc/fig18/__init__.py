"""CXCC figure 18."""
