"""WXCP figure 1."""
