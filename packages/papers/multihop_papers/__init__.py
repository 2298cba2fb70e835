"""The papers: a folder for each, in it a file for each figure or table."""

from __future__ import annotations

from . import cl, compare, cxcc, hxh, lecn, lora, today, wake, wxcp
from .today import spots

PAPERS = (cxcc, wxcp, lecn, hxh, cl)
# This project's own scheme, all schemes side by side, the papers on other radios, and questions of
# LoRa meshes.
OWN = (wake, compare, today, spots, lora)
