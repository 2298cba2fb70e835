"""WXCP table 1."""
