"""CXCC figure 8."""
