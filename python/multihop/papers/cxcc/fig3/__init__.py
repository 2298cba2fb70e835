"""CXCC figure 3."""
