"""CXCC figure 20."""
