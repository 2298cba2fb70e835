"""CXCC figure 11."""
