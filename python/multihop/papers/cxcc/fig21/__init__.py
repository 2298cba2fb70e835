"""CXCC figure 21."""
