"""HxH 4.1.1, figure 4.1: three flows over one hop, ten seconds apart."""

from __future__ import annotations

from multihop.reproducing.rules import STATED, off
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .channel import exchange
from .charts import flows_over_time
from .notes import TIMING
from .relations import calibrated, equal_shares, freed, mbit
from .setup import ACK_SHARES, CEILING, CONTROL, FASTEST, HXH, PAYLOAD, UDP
from .windows import windows

CAPACITY = 8.8e6
# A flow alone over one hop, traced: of whichever protocol, its data takes the same exchange.
ALONE = ACK_SHARES[PAYLOAD, FASTEST]


def _capacity() -> Claim:
    def judge(data: Data) -> Finding:
        measured = windows(data.studies[CONTROL.name], HXH, 1)
        most = float(measured.rates.sum(axis=1).max())
        ceiling = float(windows(data.studies[CEILING.name], UDP, 1).between(2, 10).mean().mean())
        limit = 8 * PAYLOAD / exchange(data.traces[ALONE.name].events)
        text = f"{mbit(limit)}; at most {mbit(most)} in a second; saturated UDP {mbit(ceiling)}"
        return Finding(off(limit, CAPACITY) <= STATED and max(most, ceiling) <= limit, text)

    return Claim(
        "the capacity has an upper limit of 8.8 Mbit/s over one hop",
        f"payload over the time of an exchange in a trace, from its RTS to its ACK: within "
        f"{STATED:.0%} of that; no flow has more in any second",
        judge,
    )


FIGURE = FigureSpec(
    "hxh/fig4.1",
    "Three flows over one hop",
    (
        Panel(
            "hxh/fig4.1",
            "HxH, one hop",
            flows_over_time(CONTROL, HXH, 1),
            (
                equal_shares(CONTROL, 1),
                freed(CONTROL, 1),
                *calibrated(TIMING, _capacity()),
            ),
            (CONTROL, CEILING),
            (ALONE,),
        ),
    ),
)
