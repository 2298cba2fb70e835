"""WXCP figure 2."""
