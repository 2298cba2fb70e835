"""WXCP section 3.1."""
