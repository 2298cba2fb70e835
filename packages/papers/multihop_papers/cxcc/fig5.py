"""CXCC 5.2, figure 5: the same four situations with requests for acknowledgment."""

from __future__ import annotations

from multihop.charting.cases import CASES
from multihop.reproducing.spec import FigureSpec

from .panels import LEGEND, sequence
from .setup import TRACE_RFA

FIGURE = FigureSpec(
    "cxcc/fig5",
    "CXCC with RFA in operation. " + LEGEND,
    tuple(
        sequence(f"cxcc/fig5{letter}", case, TRACE_RFA)
        for letter, case in zip("abcd", CASES, strict=True)
    ),
    columns=4,
    size=(3.2, 4.2),
)
