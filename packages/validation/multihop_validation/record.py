"""Record tables of runs.

    python -m multihop_validation.record [FOLDER]

records every CSV file of a folder, as the scripts of `benches/ns2` write them: `NAME.csv` becomes
`NAME.parquet` beside it, its checksum a line of `manifest.json`, and the CSV file is removed.
With `--show NAME` it prints a table as CSV. The default folder is that of the reference data.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .store import DATA, StoreError, record_all, table


def main() -> int:
    """Record the CSV files of a folder, or show a table."""
    parser = argparse.ArgumentParser(
        prog="python -m multihop_validation.record", description=__doc__.splitlines()[0]
    )
    parser.add_argument(
        "folder", type=Path, nargs="?", default=DATA, help="default: docs/validation/data"
    )
    parser.add_argument("--show", metavar="NAME", help="print this table as CSV")
    given = parser.parse_args()
    try:
        if given.show:
            print(table(given.folder, given.show).write_csv(), end="")
        else:
            for path in record_all(given.folder):
                print(f"recorded: {path}")
    except StoreError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
