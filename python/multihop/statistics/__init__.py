"""Statistics: intervals, tests, Student's t."""
