"""HxH 4.1.2, figure 4.6: passive and explicit acknowledgments."""

from __future__ import annotations

from multihop.reproducing.rules import stated
from multihop.reproducing.spec import Data, FigureSpec, Panel

from .charts import flows_over_time
from .notes import HEADER
from .relations import calibrated
from .setup import ACKNOWLEDGED, EXPLICIT, FASTEST, GOODPUT, HXH

GAIN = "73"


def _gain(data: Data) -> list[float]:
    measured = data.studies[ACKNOWLEDGED.name]
    gain = measured.mean(HXH, GOODPUT) / measured.mean(EXPLICIT, GOODPUT) - 1
    return [float(100 * gain[measured.x == FASTEST][0])]


FIGURE = FigureSpec(
    "hxh/fig4.6",
    "Passive and explicit acknowledgments, two flows that drift past each other",
    (
        Panel(
            "hxh/fig4.6a",
            "HxH, passive ACKs",
            flows_over_time(ACKNOWLEDGED, HXH, FASTEST),
            calibrated(
                HEADER,
                stated(
                    "passive acknowledgments allow for a gain of 73 %: all that both flows get",
                    GAIN,
                    " %",
                    _gain,
                ),
            ),
            (ACKNOWLEDGED,),
        ),
        Panel(
            "hxh/fig4.6b",
            "HxH, explicit ACKs",
            flows_over_time(ACKNOWLEDGED, EXPLICIT, FASTEST),
            (),
            (ACKNOWLEDGED,),
        ),
    ),
)
