"""LECN figure 5."""
