"""CXCC figure 14."""
