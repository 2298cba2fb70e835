"""`python -m multihop`, and the command `multihop`, are the command line."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Ctrl-C is silent until it is loaded."""
    try:
        from .cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
