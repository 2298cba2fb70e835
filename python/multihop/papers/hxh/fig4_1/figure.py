"""HxH 4.1.1, figure 4.1: three flows over one hop, ten seconds apart."""

from __future__ import annotations

from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..charts import flows_over_time
from ..relations import equal_shares, freed, mbit
from ..setup import CEILING, CONTROL, HXH, UDP
from ..windows import windows

CAPACITY = 8.8e6


def _capacity() -> Claim:
    def judge(data: Data) -> Finding:
        measured = windows(data.studies[CONTROL.name], HXH, 1)
        most = float(measured.rates.sum(axis=1).max())
        ceiling = windows(data.studies[CEILING.name], UDP, 1).between(2, 10).mean()
        text = f"at most {mbit(most)} in a second; saturated UDP {mbit(ceiling)}"
        return Finding(max(most, ceiling) <= CAPACITY, text)

    return Claim(
        "the capacity has an upper limit of 8.8 Mbit/s over one hop",
        f"no more in any second: equation 1.1 gives {mbit(8192 / (792e-6 + 8192 / 54e6))} for "
        "1024 B and counts neither backoff nor headers",
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
            (equal_shares(CONTROL, 1), freed(CONTROL, 1), _capacity()),
            (CONTROL, CEILING),
        ),
    ),
)
