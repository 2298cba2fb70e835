"""WXCP 3.2: "when severe wireless medium errors happen", it works with a window of one."""

from __future__ import annotations

from multihop.reproducing.judging import at_least, below, finding, mean, ratio
from multihop.reproducing.panels import curves
from multihop.reproducing.rules import CLOSE
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .setup import BOTH, BY_ERRORS, GOODPUT, LOST, SIX_HOPS, TCP, WINDOW, WXCP

# "A CWND of one": nearer to one packet than to two.
ONE = 1.5


def _reasonable() -> Claim:
    def judge(data: Data) -> Finding:
        measured = data.studies[BY_ERRORS.name]
        windows = measured.values(WXCP, WINDOW)
        own, other = (measured.values(name, GOODPUT) for name in (WXCP, TCP))
        rates = [ratio(a, b) for a, b in zip(own, other, strict=True)]
        text = (
            f"windows {' '.join(f'{row.mean():.2f}' for row in windows)}; "
            f"{' '.join(f'{one.value:.2f}' for one in rates)} times TCP's throughput"
        )
        compared = [
            below(mean(windows[-1]), ONE, "the window"),
            below(ratio(windows[-1], windows[0]), 1, "the window over that without errors"),
            *(
                at_least(one, CLOSE, f"the throughputs' ratio at {lost:g} %")
                for one, lost in zip(rates, LOST, strict=True)
            ),
        ]
        return finding(text, compared)

    most = f"{LOST[-1]:g} %"
    return Claim(
        "with severe errors of the medium WXCP can at least work with a window of one, and achieve "
        "reasonable performance",
        f"where {most} of full packets are lost on a hop, less than {ONE} packets, less than "
        f"without errors; at least {CLOSE} of TCP's throughput at every error rate",
        judge,
    )


FIGURE = FigureSpec(
    "wxcp/text3.2",
    f"Throughput of one flow over the errors of the medium, {SIX_HOPS} hops",
    (
        Panel(
            "wxcp/text3.2",
            "one flow",
            curves(
                BY_ERRORS,
                BOTH,
                GOODPUT,
                ("full packets lost (%)", "throughput (kbit/s)"),
                scale=1e-3,
            ),
            (_reasonable(),),
            (BY_ERRORS,),
        ),
    ),
)
