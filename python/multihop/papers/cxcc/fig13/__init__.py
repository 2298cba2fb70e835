"""CXCC figure 13."""
