"""Run all schemes side by side in full, and write the numbers into a page.

    python -m multihop_papers.compare docs/guides/all-schemes.md
    python -m multihop_papers.compare docs/guides/all-schemes-ofdm.md

The page says what and where: between `<!-- measured: chain -->` and `<!-- end -->`, and `grid`
likewise; or the names of the radios of OFDM.
"""

from __future__ import annotations

import sys
from pathlib import Path

from multihop.reproducing.reproduction import reproduce

from .page import names, renew
from .radios import RADIO_NETWORKS

if __name__ == "__main__":
    page = Path(sys.argv[1])
    text = page.read_text(encoding="utf-8")
    radios = [f"compare/{name}" for name in names(text) if name in RADIO_NETWORKS]
    done = reproduce(radios or ["compare/explicit"])
    page.write_text(renew(text, done.tables), encoding="utf-8")
