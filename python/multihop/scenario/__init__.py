"""Scenarios: read, changed, checked, fitted, and the examples that come with the package."""
