"""The schemes in ns-3 and here: `python -m multihop.validation.ns3_page` writes the page.

It needs the program `multihop-ns3` (`make ns3`), and takes some five minutes on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..results import replacing
from ..runner import Simulator, run_many
from ..scenario import Scenario
from .compare import Estimate
from .curves import table
from .reference import PAGE_FOLDER

SEEDS = 4
MESSAGE_IN_MESSAGE = {"radio.reception": "message-in-message"}
# Who runs it, and with which keys.
SIMULATORS: dict[str, tuple[Simulator, dict[str, str]]] = {
    "ns-3": ("ns3", {}),
    "multihop": ("multihop", {}),
    "multihop, message in message": ("multihop", MESSAGE_IN_MESSAGE),
}
LOADS = (40, 70, 150, 400)
RTS = {"mac.rts_cts": True}
# In both directions of a chain of ten hops (CXCC, figure 8b).
CHAIN = Scenario.from_dict(
    {
        "warmup": "10 s",
        "duration": "60 s",
        "topology": {"kind": "bidirectional-chain", "hops": 10},
        "scheme": {"name": "udp"},
        "traffic": {"load": "40 kbit/s"},
    }
)
DATAGRAMS: dict[str, dict[str, Any]] = {
    "UDP": {},
    "UDP, RTS/CTS": RTS,
    "CXCC": {"scheme.name": "cxcc"},
    "WAKE": {"scheme.name": "wake"},
}
# One transfer without end over six hops, at 2 Mbit/s.
TRANSFER = Scenario.from_dict(
    {
        "warmup": "10 s",
        "duration": "60 s",
        "topology": {"kind": "chain", "hops": 6},
        "scheme": {"name": "newreno"},
        "mac": {"rts_cts": True, "data_rate": "2 Mbit/s"},
        "routing": {"kind": "aodv"},
        "traffic": {"kind": "ftp", "payload": "1000 B"},
    }
)
TRANSPORTS = ("newreno", "vegas", "tcp-ap", "lecn", "xcp", "wxcp", "atp", "hxh", "cl")

PAGE = """\
# Beside ns-3

Written by `python -m multihop.validation.ns3_page` ({seeds} seeds a point). The same schemes,
sources and books on two simulators' radios: ns-3's 802.11b ([how](../guides/ns3.md)), and this
project's, which receives as ns-2 does. Beside them, this project's with
`radio.reception = "message-in-message"`: a radio that is receiving takes over a later frame that
is stronger by 10 dB. ns-3's receiver is nearer to that: it locks on to a frame when it has
detected the preamble, and weighs signal against interference. What stands behind ± is the
standard error.

{claims}

## Overload in a chain of ten hops, traffic both ways

{datagrams}

## One transfer over six hops of AODV, 2 Mbit/s, RTS/CTS

{transfers}

## What explains the differences

- **CXCC at overload**: which frame a receiver stays with. With `message-in-message` it has here
  what it has in ns-3, in goodput, delay and overhead. What that rule does to every claim of
  CXCC's paper stands [there](../guides/reproduce-cxcc.md).
- **CXCC at low loads** takes longer in ns-3, and more bytes, because 802.11 sends at once where
  the medium has been idle for DIFS. Nodes that have heard the same frame then begin together.
  ns-2 and this project draw a backoff for every frame. Tested: with a random wait of up to 31
  slots put before every frame in ns-3, CXCC takes 63 ms at 40 kbit/s and 76 ms at 70 kbit/s,
  and 1.14 and 1.15 bytes (4 seeds), as it does here with `message-in-message`.
- **UDP beyond its optimum** loses less in ns-3. Tested, and not the reason: the receiver (the
  third column), that wait (168 and 46 kbit/s at 150 and 400 kbit/s), the capture ratio (6 dB in
  place of 10: the same), EIFS (without it, UDP has less here: 76 and 8 kbit/s), nor what the
  table below takes away (80 and 23). Not explained.
- **Transfers** get more in ns-3, each of them, and most of that are three habits of ns-2 which
  this project shares ([the model](../guides/model.md)), because the papers ran on it. Taken away
  one after the other (4 seeds; the last two by a condition changed in the engine), in kbit/s:

  | | NewReno | HxH | CL | WXCP |
  |---|--:|--:|--:|--:|
  | multihop | 167 | 193 | 226 | 182 |
  | a radio takes over a stronger frame (the third column) | 188 | 247 | 262 | 182 |
  | and a CTS is sent where the NAV allows it, also on a busy medium | 225 | 307 | 325 | 182 |
  | and a frame that is ignored reserves no EIFS behind its end | 235 | 328 | 348 | 187 |
  | ns-3 | 254 | 375 | 348 | 224 |

  CL then has what it has in ns-3 in delay, too (34 and 32 ms). What is left of the others is not
  explained. Tested, and not the reason: the wait before first attempts (NewReno 256, HxH 379,
  WXCP 240, CL 348 kbit/s), all of EIFS and the link layer's delay (with the third column's
  receiver and without either, here: 182, 212, 183, 232), and that ns-2 widens the window where a
  backoff ends on a busy medium (without, and with that receiver: 190, 245, 183, 260).
"""


@dataclass(frozen=True)
class Found:
    """What the runs of one scenario have in the mean."""

    goodput: Estimate
    delay: Estimate
    overhead: Estimate

    def cells(self) -> tuple[str, str, str]:
        """Goodput in kbit/s, delay in ms, bytes on the medium per payload byte and hop."""
        return (
            f"{self.goodput.mean:.0f} ± {self.goodput.error:.1f}",
            f"{self.delay.mean:.0f}",
            f"{self.overhead.mean:.2f}",
        )


# By simulator, scheme and load.
Points = Mapping[tuple[str, str, int], Found]


def measure(scenario: Scenario, simulator: Simulator) -> Found:
    """Run a scenario with every seed."""
    scenarios = [scenario.with_(seed=seed) for seed in range(1, SEEDS + 1)]
    runs = [one.runs for one in run_many(scenarios, simulator=simulator, progress=False)]
    columns = (("goodput_bit_s", 1e-3), ("delay_mean_s", 1e3), ("overhead", 1.0))
    return Found(*(Estimate.of([run[name].item() * by for run in runs]) for name, by in columns))


def datagrams(say: Callable[[str], None]) -> Points:
    """Measure schemes on the chain, at all loads."""
    points = {}
    for name, keys in DATAGRAMS.items():
        for load in LOADS:
            scenario = CHAIN.override({**keys, "traffic.load": f"{load} kbit/s"})
            for where, (simulator, more) in SIMULATORS.items():
                points[where, name, load] = measure(scenario.override(more), simulator)
            say(f"{name}, {load} kbit/s")
    return points


def transfers(say: Callable[[str], None]) -> Points:
    """Measure transports over six hops."""
    points = {}
    for name in TRANSPORTS:
        scenario = TRANSFER.with_(**{"scheme.name": name})
        for where, (simulator, more) in SIMULATORS.items():
            points[where, name, 0] = measure(scenario.override(more), simulator)
        say(name)
    return points


def claims(points: Points) -> Iterator[tuple[str, str, bool]]:
    """Say what the paper of CXCC claims of overload, what was found where, and whether it holds."""
    for where in SIMULATORS:
        udp, cxcc = (
            [points[where, name, load].goodput.mean for load in LOADS] for name in ("UDP", "CXCC")
        )
        best = max(udp)
        yield (
            f"{where}: UDP collapses beyond its optimum",
            f"{best:.0f} kbit/s, and {udp[-1]:.0f} at {LOADS[-1]} kbit/s a source",
            udp[-1] < best / 2,
        )
        yield (
            f"{where}: CXCC keeps its goodput at any higher load",
            f"{max(cxcc):.0f} kbit/s, and {cxcc[-1]:.0f}",
            cxcc[-1] > 0.95 * max(cxcc),
        )
        delays = [points[where, name, LOADS[-1]].delay.mean for name in ("UDP", "CXCC")]
        yield (
            f"{where}: at high load UDP's delay is at least four times CXCC's",
            f"{delays[0]:.0f} and {delays[1]:.0f} ms",
            delays[0] >= 4 * delays[1],
        )


def page(chain: Points, transfer: Points) -> str:
    """Write the page."""
    columns = tuple(f"{where}: kbit/s, ms, B/B" for where in SIMULATORS)

    def row(points: Points, name: str, load: int) -> list[str]:
        return [", ".join(points[where, name, load].cells()) for where in SIMULATORS]

    judged = [(claim, found, "yes" if holds else "**no**") for claim, found, holds in claims(chain)]
    return PAGE.format(
        seeds=SEEDS,
        claims=table(("claim", "found", "holds"), judged),
        datagrams=table(
            ("scheme", "load of each source, kbit/s", *columns),
            [(name, str(load), *row(chain, name, load)) for name in DATAGRAMS for load in LOADS],
        ),
        transfers=table(
            ("scheme", *columns), [(name, *row(transfer, name, 0)) for name in TRANSPORTS]
        ),
    )


def main() -> int:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=PAGE_FOLDER, help="folder for the page")
    out = parser.parse_args().out / "ns3.md"
    text = page(datagrams(print), transfers(print))
    with replacing(out) as temporary:
        temporary.write_text(text, encoding="utf-8")
    print(f"page: {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
