"""All schemes in chains and in a grid."""
