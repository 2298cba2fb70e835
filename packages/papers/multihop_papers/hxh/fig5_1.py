"""HxH 5.1.2, figure 5.1: credit-based and rate-limited HxH, Sack and Vegas over ten hops."""

from __future__ import annotations

from multihop.reproducing.spec import FigureSpec, Panel
from multihop.statistics.stats import Values

from .charts import variants_over_time
from .relations import compare, part
from .setup import HXH, RATE, SACK, TEN_HOPS, VEGAS
from .windows import Windows

WHOLE = part(TEN_HOPS, 10, 5, 60)
PAIRS = (
    ("rate-limited HxH", "credit-based HxH", RATE, HXH),
    ("Vegas", "Sack", VEGAS, SACK),
)


def _mean(windows: Windows) -> Values:
    means: Values = windows.mean() / 1e6
    return means


FIGURE = FigureSpec(
    "hxh/fig5.1",
    "Rate-based and window- or credit-based schemes over ten hops",
    (
        Panel(
            "hxh/fig5.1a",
            "HxH",
            variants_over_time(TEN_HOPS, (HXH, RATE), 10),
            tuple(
                claim
                for rate, other, first, second in PAIRS
                for claim in (
                    compare(
                        f"{rate} achieves a higher data rate than {other}",
                        "mean from 5 s on, Mbit/s",
                        _mean,
                        ((other, second, WHOLE), (rate, first, WHOLE)),
                    ),
                    compare(
                        f"and a smoother one: {rate}, {other}",
                        "coefficient of variation from 5 s on",
                        Windows.variation,
                        ((rate, first, WHOLE), (other, second, WHOLE)),
                    ),
                )
            ),
            (TEN_HOPS,),
        ),
        Panel(
            "hxh/fig5.1b",
            "TCP",
            variants_over_time(TEN_HOPS, (SACK, VEGAS), 10),
            (),
            (TEN_HOPS,),
        ),
    ),
)
