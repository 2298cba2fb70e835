"""HxH 1.2, figure 1.7: the part of the channel that end-to-end acknowledgments take."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from multihop.charting.figure import scheme_style
from multihop.reproducing.rules import CLOSE, STATED, off, stated
from multihop.reproducing.spec import Claim, Data, FigureSpec, Finding, Panel
from multihop.statistics.stats import Values

from .channel import overhead, share
from .notes import HEADERS, TIMING
from .relations import calibrated
from .setup import ACK_SHARES, NEWRENO, SHARE_RATES, SHARE_SIZES, VARIANTS

SIZES = (1024, 2048, 4096)
STYLES = ("-", "--", ":")
MOST = 54
# "Even at low speeds, the overhead required [...] is significant (4 - 13%)": 13 is for 1024 B, 4
# for 4096 B.
LOW = "4 13"
HALF = 0.5


def _measured(data: Data, size: int) -> Values:
    return np.array(
        [share(data.traces[ACK_SHARES[size, rate].name].events) for rate in SHARE_RATES]
    )


def _low(data: Data) -> list[float]:
    """Return the shares at the lowest rate for the longest and the shortest data, in percent.

    No frame holds 4096 B, so their time is that which two shorter ones lead to.
    """
    # How much longer data takes than its acknowledgment, which grows linearly with the size.
    short, middle = (1 / float(_measured(data, size)[0]) - 1 for size in SHARE_SIZES)
    slope = (middle - short) / (SHARE_SIZES[1] - SHARE_SIZES[0])
    return [100 / (1 + short + slope * (size - SHARE_SIZES[0])) for size in (SIZES[-1], SIZES[0])]


def _formula(size: int) -> Values:
    return np.array([overhead(rate * 1e6, size) for rate in SHARE_RATES])


def _agrees() -> Claim:
    def judge(data: Data) -> Finding:
        pairs = {size: (_measured(data, size), _formula(size)) for size in SHARE_SIZES}
        worst = max(
            off(float(a), float(b))
            for found, expected in pairs.values()
            for a, b in zip(found, expected, strict=True)
        )
        text = "; ".join(
            f"{size} B: "
            + " ".join(f"{100 * a:.1f}/{100 * b:.1f}" for a, b in zip(*pair, strict=True))
            for size, pair in pairs.items()
        )
        return Finding(worst <= STATED, f"{text} %, off by at most {worst:.0%}")

    rates = " ".join(f"{rate:g}" for rate in SHARE_RATES)
    return Claim(
        "the share of the channel for end-to-end acknowledgments is that of equation 1.2",
        f"simulated/formula at {rates} Mbit/s: each within {STATED:.0%}; the formula counts "
        "neither MAC headers nor the preamble of the packet itself",
        judge,
        HEADERS,
    )


def _nearly_half() -> Claim:
    def judge(data: Data) -> Finding:
        found = float(_measured(data, SIZES[0])[-1])
        return Finding(CLOSE * HALF <= found <= HALF, f"{found:.1%} at {MOST} Mbit/s, 1024 B")

    return Claim(
        "at high rates acknowledgments take nearly as much time as data",
        f"at least {CLOSE} of half of the time, at most half",
        judge,
    )


def _draw(axes: Axes, data: Data) -> None:
    rates = np.linspace(1, MOST, 200)
    style = scheme_style(VARIANTS[NEWRENO].scheme)
    for size, line in zip(SIZES, STYLES, strict=True):
        axes.plot(
            rates,
            100 * np.asarray(overhead(rates * 1e6, size)),
            color=style.color,
            linestyle=line,
            label=f"equation 1.2, {size} B",
        )
    for size, marker in zip(SHARE_SIZES, "os", strict=True):
        axes.plot(
            SHARE_RATES,
            100 * _measured(data, size),
            marker=marker,
            linestyle="none",
            color=style.color,
            label=f"simulated, {size} B",
        )
    axes.set_xlabel("data rate (Mbit/s)")
    axes.set_ylabel("share of the channel (%)")
    axes.set_xlim(left=0)
    axes.set_ylim(0, 100 * HALF)


FIGURE = FigureSpec(
    "hxh/fig1.7",
    "The part of the channel's time that end-to-end acknowledgments take",
    (
        Panel(
            "hxh/fig1.7",
            "TCP over one hop",
            _draw,
            calibrated(
                TIMING,
                _agrees(),
                stated(
                    "even at low rates it is significant: 4 to 13 % (4096 B, which is beyond a "
                    "frame: extrapolated; 1024 B) at 1 Mbit/s",
                    LOW,
                    " %",
                    _low,
                ),
                _nearly_half(),
            ),
            traces=tuple(ACK_SHARES.values()),
        ),
    ),
    size=(6.5, 3.6),
)
