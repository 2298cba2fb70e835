"""LECN figure 8."""
