"""Run all schemes side by side in full, and write the numbers into a page.

    python -m multihop_papers.compare docs/guides/all-schemes.md

The page says where: between `<!-- measured: chain -->` and `<!-- end -->`, and `grid` likewise.
"""

from __future__ import annotations

import sys
from pathlib import Path

from multihop.reproducing.reproduction import reproduce

from .page import renew

if __name__ == "__main__":
    page = Path(sys.argv[1])
    done = reproduce(["compare/explicit"])
    page.write_text(renew(page.read_text(encoding="utf-8"), done.tables), encoding="utf-8")
