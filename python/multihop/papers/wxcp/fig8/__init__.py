"""WXCP figure 8."""
