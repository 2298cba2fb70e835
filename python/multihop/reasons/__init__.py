"""Where the air of a network goes, what limits it, what would help, and the life of a packet."""
