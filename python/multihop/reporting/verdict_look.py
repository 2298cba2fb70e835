"""How verdicts look: told apart by a sign, a word and a line, and not by their colour alone."""

from __future__ import annotations

from .verdicts import CALIBRATED, DIFFERS, MISSING, PARTLY, REPRODUCED, UNDECIDED, figure_of

SIGNS = {
    REPRODUCED: "✓",
    CALIBRATED: "≈",
    UNDECIDED: "?",
    DIFFERS: "✗",
    PARTLY: "◐",
    MISSING: "○",
}
# Notes of more characters are folded.
FOLDED = 160


def short(name: str) -> str:
    """Return an id without its paper: `fig8` of `cxcc/fig8`."""
    return name.rpartition("/")[2]


def long(name: str) -> str:
    """Return the name of a figure: "Figure 8" of `cxcc/fig8`."""
    return short(figure_of(name)).replace("fig", "Figure ").replace("table", "Table ")
