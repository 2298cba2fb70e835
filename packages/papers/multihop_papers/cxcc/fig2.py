"""CXCC 3.2, 4.1, figure 2: the four situations of basic CXCC."""

from __future__ import annotations

from multihop.charting.cases import CASES
from multihop.reproducing.spec import FigureSpec

from .panels import LEGEND, sequence
from .setup import TRACE_BASIC

FIGURE = FigureSpec(
    "cxcc/fig2",
    "Basic CXCC in operation. " + LEGEND,
    tuple(
        sequence(f"cxcc/fig2{letter}", case, TRACE_BASIC)
        for letter, case in zip("abcd", CASES, strict=True)
    ),
    columns=4,
    size=(3.2, 4.2),
)
