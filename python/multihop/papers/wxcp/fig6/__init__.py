"""WXCP figure 6."""
