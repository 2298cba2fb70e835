"""WXCP figure 4."""
