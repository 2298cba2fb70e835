"""Comparing schemes: pairs by seed, verdicts, pages."""
