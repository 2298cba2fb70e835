"""LECN 4: "we present only the results for thresholds 40 and 60 ms because they perform best"."""

from __future__ import annotations

from multihop.reproducing.panels import curves
from multihop.reproducing.spec import FigureSpec, Panel

from .notes import THRESHOLDS_FLAT
from .panels import KBIT
from .setup import LECN_60, THINNING_LECN_60, THRESHOLDS, THROUGHPUT
from .tables import best_thresholds

FIGURE = FigureSpec(
    "lecn/text4",
    "Throughput over LECN's threshold, 8 hops",
    (
        Panel(
            "lecn/text4",
            "without and with ACK thinning",
            curves(THRESHOLDS, (), THROUGHPUT, ("threshold (ms)", KBIT), scale=1e-3),
            (
                best_thresholds("without thinning", LECN_60, THRESHOLDS_FLAT),
                best_thresholds("with thinning", THINNING_LECN_60, THRESHOLDS_FLAT),
            ),
            (THRESHOLDS,),
        ),
    ),
    size=(7.5, 3.1),
)
