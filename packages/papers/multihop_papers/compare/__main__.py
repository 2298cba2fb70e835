"""Run all schemes side by side in full, and write the numbers into a page.

    python -m multihop_papers.compare docs/guides/all-schemes.md
    python -m multihop_papers.compare docs/guides/all-schemes-ofdm.md
    python -m multihop_papers.compare docs/guides/all-schemes-ofdm.md wake

The page says what and where: between `<!-- measured: chain -->` and `<!-- end -->`, and `grid`
likewise; or the names of the radios of OFDM. With the name of a scheme, only its rows on these
radios are made again.
"""

from __future__ import annotations

import sys
from pathlib import Path

from multihop.reproducing.reproduction import reproduce

from .page import names, renew, renew_rows
from .radios import RADIO_NETWORKS, row

if __name__ == "__main__":
    page = Path(sys.argv[1])
    text = page.read_text(encoding="utf-8")
    radios = [f"compare/{name}" for name in names(text) if name in RADIO_NETWORKS]
    if sys.argv[2:]:
        rows = {name: row(name, sys.argv[2]) for name in names(text)}
        text = renew_rows(text, rows)
    else:
        text = renew(text, reproduce(radios or ["compare/explicit"]).tables)
    page.write_text(text, encoding="utf-8")
