"""WXCP figure 3."""
