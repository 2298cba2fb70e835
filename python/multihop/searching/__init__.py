"""Searching: the best window, the rates at which a scheme is best."""
