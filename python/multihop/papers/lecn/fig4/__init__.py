"""LECN figure 4."""
