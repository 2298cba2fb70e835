"""Pages of verdicts: what they say, and their HTML."""
