"""Reproducing papers: running their figures and judging their claims."""
