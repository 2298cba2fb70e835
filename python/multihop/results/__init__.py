"""Results: tables of runs, and what their columns mean."""
