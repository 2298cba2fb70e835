"""WXCP 4.2: with other packet sizes TCP and WXCP "change their behavior in a similar way"."""

from __future__ import annotations

from collections.abc import Sequence

from multihop.reproducing.judging import between, estimates, falling, finding
from multihop.reproducing.panels import curves
from multihop.reproducing.rules import STATED
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .setup import BOTH, BY_SIZE, GOODPUT, SIX_HOPS, SIZES, USUAL


def _changes(data: Data) -> Sequence[float]:
    """Return WXCP's change from the usual packet size over TCP's, at each other size."""
    measured = data.studies[BY_SIZE.name]
    tcp, wxcp = (measured.mean(name, GOODPUT) for name in BOTH)
    usual = SIZES.index(USUAL)
    found = (wxcp / wxcp[usual]) / (tcp / tcp[usual])
    return [float(value) for value, size in zip(found, SIZES, strict=True) if size != USUAL]


def _similar() -> Claim:
    def judge(data: Data) -> Finding:
        measured = data.studies[BY_SIZE.name]
        text = "; ".join(
            f"{measured.study.variants[name].title} "
            + " ".join(f"{rate / 1e3:.0f}" for rate in measured.mean(name, GOODPUT))
            for name in BOTH
        )
        others = [f"{size:g} B" for size in SIZES if size != USUAL]
        alike = [
            between(one, 1 - STATED, 1 + STATED, f"WXCP's change over TCP's with {name}")
            for one, name in zip(estimates(data, _changes, log=True), others, strict=True)
        ]
        rises = [
            step
            for name in BOTH
            for step in falling(
                list(measured.values(name, GOODPUT)[::-1]), [f"{size:g} B" for size in SIZES[::-1]]
            )
        ]
        return finding(f"{text} kbit/s", alike + rises)

    sizes = " ".join(f"{size:g}" for size in SIZES)
    return Claim(
        "with other packet sizes both have other throughputs, and change in a similar way",
        f"both rise with the size over {sizes} B, and from {USUAL:g} B WXCP changes by TCP's "
        f"factor within {STATED:.0%}",
        judge,
    )


FIGURE = FigureSpec(
    "wxcp/text4.2",
    f"Throughput of one flow over the packet size, {SIX_HOPS} hops",
    (
        Panel(
            "wxcp/text4.2",
            "one flow",
            curves(BY_SIZE, BOTH, GOODPUT, ("payload (B)", "throughput (kbit/s)"), scale=1e-3),
            (_similar(),),
            (BY_SIZE,),
        ),
    ),
)
