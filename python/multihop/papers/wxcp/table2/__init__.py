"""WXCP table 2."""
