"""CXCC 1, figure 1: UDP from both ends of a 10-hop chain, without wires and with them."""

from __future__ import annotations

import numpy as np

from ...rules import CLOSE, kbit
from ...spec import Claim, Data, FigureSpec, Finding, Panel
from ..panels import throughput
from ..relations import GOODPUT, collapses
from ..setup import BIDIRECTIONAL, BOTH_UDP, UDP, UDP_RTS, WIRED


def _rts_does_not_help(data: Data) -> Finding:
    measured = data.studies[BIDIRECTIONAL.name]
    without, with_rts = (measured.mean(variant, GOODPUT).max() for variant in (UDP, UDP_RTS))
    text = f"optimum {kbit(with_rts)} with, {kbit(without)} without"
    return Finding(bool(with_rts <= without / CLOSE), text)


def _maximum_is_kept(data: Data) -> Finding:
    measured = data.studies[WIRED.name]
    mean = measured.mean(UDP, GOODPUT)
    reached = mean.max()
    beyond = mean[int(np.argmax(mean >= CLOSE * reached)) :]
    text = f"{beyond.min() / reached:.2f} of {kbit(reached)}, {kbit(mean[-1])} at the highest load"
    return Finding(bool(beyond.min() >= CLOSE * reached), text)


FIGURE = FigureSpec(
    "cxcc/fig1",
    "UDP overload in a bidirectional chain",
    (
        Panel(
            "cxcc/fig1a",
            "radio",
            throughput(BIDIRECTIONAL, BOTH_UDP),
            (
                collapses(BIDIRECTIONAL),
                Claim(
                    "RTS/CTS does not help",
                    "the optimum with it is at most 10 % above the one without",
                    _rts_does_not_help,
                ),
            ),
            (BIDIRECTIONAL,),
        ),
        Panel(
            "cxcc/fig1b",
            "wired duplex links",
            throughput(WIRED, (UDP,)),
            (
                Claim(
                    "with wires the maximum is reached and kept",
                    f"at least {CLOSE} of it from there on",
                    _maximum_is_kept,
                ),
            ),
            (WIRED,),
        ),
    ),
)
