"""WXCP figure 5."""
