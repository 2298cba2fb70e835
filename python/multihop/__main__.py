"""`python -m multihop` is the command line."""

from .cli import main

main()
