"""CXCC figure 16."""
