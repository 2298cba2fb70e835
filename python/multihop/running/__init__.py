"""Running scenarios: runs, traces, captures, recordings, ns-3."""
