"""The papers: a folder for each, in it a file for each figure or table."""

from __future__ import annotations

from . import cl, compare, cxcc, hxh, lecn, today, wake, wxcp

PAPERS = (cxcc, wxcp, lecn, hxh, cl)
# This project's own scheme, all schemes side by side, and the papers on other radios.
OWN = (wake, compare, today)
