"""CXCC figure 10."""
