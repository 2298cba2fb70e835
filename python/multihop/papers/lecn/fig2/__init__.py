"""LECN figure 2."""
