"""LECN figure 3."""
