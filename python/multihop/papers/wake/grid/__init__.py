"""WAKE and its rivals in a grid."""
