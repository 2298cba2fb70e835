"""LECN figure 7."""
