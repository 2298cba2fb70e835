"""Flows that come and go."""
