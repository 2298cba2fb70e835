"""CXCC figure 9."""
