"""HxH 4.2.2, figure 4.13: throughput over the number of route failures."""

from __future__ import annotations

from functools import partial

from multihop.reproducing.judging import above, at_most, estimate, finding, higher, stated_within
from multihop.reproducing.panels import curves
from multihop.reproducing.rules import CLOSE, STATED, stated
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel

from .notes import AS_LONG, ATP_LOSS, LATTICE_LOSS, SPACING
from .relations import calibrated, part
from .setup import ATP, GOODPUT, HXH, MOBILE, SHARED, SIX, STAGGER_S, TCPS

HXH_LOSES = "8.2"
TCP_LOSES = 50


def _loss(data: Data, variant: str) -> float:
    """Return what a protocol loses between no and the most route failures, in percent."""
    rates = data.studies[MOBILE.name].mean(variant, GOODPUT)
    return float(100 * (1 - rates[-1] / rates[0]))


def _tcp_loses_half() -> Claim:
    def judge(data: Data) -> Finding:
        losses = {name: estimate(data, partial(_loss, variant=name)) for name in TCPS}
        text = ", ".join(f"{name} {loss.value:.1f}" for name, loss in losses.items())
        compared = [
            stated_within(loss, TCP_LOSES, 1 - CLOSE, name) for name, loss in losses.items()
        ]
        return finding(f"{text} %", compared)

    names = ", ".join(MOBILE.variants[name].title for name in TCPS)
    return Claim(
        f"{names} each lose nearly {TCP_LOSES} %",
        f"each within {1 - CLOSE:.0%} of {TCP_LOSES} %",
        judge,
        LATTICE_LOSS,
    )


def _similar(data: Data, variant: str) -> float:
    """Return the throughput without route failures over that of a flow alone in the dumbbell."""
    alone = part(SHARED, 0, 0, STAGGER_S)(data, variant).flows(0).mean().mean()
    return float(data.studies[MOBILE.name].mean(variant, GOODPUT)[0] / alone)


def _as_in_the_dumbbell() -> Claim:
    def judge(data: Data) -> Finding:
        found = {name: estimate(data, partial(_similar, variant=name), log=True) for name in SIX}
        text = ", ".join(f"{name} {one.value:.2f}" for name, one in found.items())
        compared = [stated_within(one, 1, STATED, name) for name, one in found.items()]
        return finding(text, compared)

    return Claim(
        "without route failures the performance is similar to the dumbbell's first ten seconds",
        f"each protocol within {STATED:.0%}",
        judge,
        SPACING,
    )


def _first() -> Claim:
    def judge(data: Data) -> Finding:
        measured = data.studies[MOBILE.name]
        compared = [
            higher(own, other, f"HxH over {name} with {x:g} failures")
            for name in SIX
            if name != HXH
            for own, other, x in zip(
                measured.values(HXH, GOODPUT),
                measured.values(name, GOODPUT),
                measured.x,
                strict=True,
            )
        ]
        least = min(one.estimate.value for one in compared)
        return finding(f"at least {least:.2f} times any other", compared)

    return Claim("HxH is first", "above each other at every number of failures", judge)


def _atp_keeps() -> Claim:
    def judge(data: Data) -> Finding:
        bound = 100 * (1 - CLOSE)
        lost = estimate(data, partial(_loss, variant=ATP))
        others = {name: estimate(data, partial(_loss, variant=name)) for name in TCPS}
        least = min(one.value for one in others.values())
        compared = [
            at_most(lost, bound, "ATP's loss"),
            *(above(one, bound, f"{name}'s loss") for name, one in others.items()),
        ]
        return finding(f"{lost.value:.1f} % lost, TCP at least {least:.1f} %", compared)

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
