"""CXCC figure 19."""
