"""LECN figure 6."""
