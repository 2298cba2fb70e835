"""HxH 4.2.2, figure 4.13: throughput over the number of route failures."""

from __future__ import annotations

from ...panels import curves
from ...rules import CLOSE, STATED, off, stated
from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..notes import AS_LONG, ATP_LOSS, LATTICE_LOSS, SPACING
from ..relations import calibrated, part
from ..setup import ATP, GOODPUT, HXH, MOBILE, SHARED, SIX, STAGGER_S, TCPS

HXH_LOSES = "8.2"
TCP_LOSES = 50


def _loss(data: Data, variant: str) -> float:
    """Return what a protocol loses between no and the most route failures, in percent."""
    rates = data.studies[MOBILE.name].mean(variant, GOODPUT)
    return float(100 * (1 - rates[-1] / rates[0]))


def _tcp_loses_half() -> Claim:
    def judge(data: Data) -> Finding:
        losses = {name: _loss(data, name) for name in TCPS}
        text = ", ".join(f"{name} {loss:.1f}" for name, loss in losses.items())
        holds = all(off(loss, TCP_LOSES) <= 1 - CLOSE for loss in losses.values())
        return Finding(holds, f"{text} %")

    names = ", ".join(MOBILE.variants[name].title for name in TCPS)
    return Claim(
        f"{names} each lose nearly {TCP_LOSES} %",
        f"each within {1 - CLOSE:.0%} of {TCP_LOSES} %",
        judge,
        LATTICE_LOSS,
    )


def _as_in_the_dumbbell() -> Claim:
    def judge(data: Data) -> Finding:
        texts, worst = [], 0.0
        for name in SIX:
            alone = part(SHARED, 0, 0, STAGGER_S)(data, name).flows(0).mean()
            ratio = float(data.studies[MOBILE.name].mean(name, GOODPUT)[0]) / alone
            worst = max(worst, off(ratio, 1))
            texts.append(f"{name} {ratio:.2f}")
        return Finding(worst <= STATED, ", ".join(texts))

    return Claim(
        "without route failures the performance is similar to the dumbbell's first ten seconds",
        f"each protocol within {STATED:.0%}",
        judge,
        SPACING,
    )


def _first() -> Claim:
    def judge(data: Data) -> Finding:
        measured = data.studies[MOBILE.name]
        own = measured.mean(HXH, GOODPUT)
        ratios = [float((own / measured.mean(name, GOODPUT)).min()) for name in SIX if name != HXH]
        return Finding(min(ratios) > 1, f"at least {min(ratios):.2f} times any other")

    return Claim("HxH is first", "above each other at every number of failures", judge)


def _atp_keeps() -> Claim:
    def judge(data: Data) -> Finding:
        lost, least = _loss(data, ATP), min(_loss(data, name) for name in TCPS)
        text = f"{lost:.1f} % lost, TCP at least {least:.1f} %"
        return Finding(lost <= 100 * (1 - CLOSE) < least, text)

    return Claim(
        "ATP's throughput does not decrease significantly",
        f"at most {1 - CLOSE:.0%} lost, and by every version of TCP more",
        judge,
        ATP_LOSS,
    )


FIGURE = FigureSpec(
    "hxh/fig4.13",
    "Throughput over the number of forced route failures in 60 s",
    (
        Panel(
            "hxh/fig4.13",
            "mobile lattice",
            curves(MOBILE, (), GOODPUT, ("route failures", "throughput (Mbit/s)"), scale=1e-6),
            (
                stated(
                    "HxH loses 8.2 % of its throughput",
                    HXH_LOSES,
                    " %",
                    lambda data: [_loss(data, HXH)],
                    LATTICE_LOSS,
                ),
                _tcp_loses_half(),
                _first(),
                _atp_keeps(),
                *calibrated(AS_LONG, _as_in_the_dumbbell()),
            ),
            (MOBILE, SHARED),
        ),
    ),
    size=(6.5, 3.6),
)
