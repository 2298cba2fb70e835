"""WAKE and its rivals under shadowing."""
