"""CXCC figure 12."""
