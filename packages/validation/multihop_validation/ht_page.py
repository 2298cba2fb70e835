"""The page that puts 802.11n in ns-3.37 beside 802.11n here."""

from __future__ import annotations

from pathlib import Path

from multihop.results.result import make_folder, replacing

from . import findings, ht, ofdm
from .ofdm import BARS, COLLAPSED, FACTOR
from .ofdm_page import FORMULA, LINK, OfdmValidation, bars, groups, parts, verdict
from .ours import keep, kept
from .store import DATA, PAGE_FOLDER

SEEDS = 6
RUNS = "ours_ht"
# By part of the data: what it is.
PARTS = {
    "single": "one link of 5 m, saturated",
    "chains": "chains of 18 m, saturated: two hops are sensed, three not",
    "loads": "chains of six hops, below and above saturation",
    "hidden": "chains of 45 m, saturated: one hop is sensed",
    "sense": "chains of 18 m whose nodes notice preambles from -91 dBm on",
    "table": "chains of 18 m with ns-3's error model of tables",
    "ampdu": "chains of six hops with A-MPDUs of several lengths",
}


def validate(
    out: Path | None = None,
    *,
    data: Path | None = None,
    workers: int | None = None,
    progress: bool = True,
) -> OfdmValidation:
    """Run every case of the reference data, keep the runs, and write the page into `out`."""
    data = DATA if data is None else data
    out = make_folder(PAGE_FOLDER if out is None else out)
    cases = ofdm.read(data, ht.FILE, ht.Case)
    ours = ofdm.measure(cases, SEEDS, title="802.11n", workers=workers, progress=progress)
    rows = {case: [{"goodput_kbps": goodput} for goodput in own] for case, own in ours.items()}
    keep(out / "data", RUNS, rows)
    return write(out, data=data)


def write(out: Path | None = None, *, data: Path | None = None) -> OfdmValidation:
    """Write the page into `out` from the runs that are kept there."""
    data = DATA if data is None else data
    out = PAGE_FOLDER if out is None else out
    runs = kept(out / "data", RUNS, ht.Case)
    ours: ofdm.Runs = {case: [row["goodput_kbps"] for row in rows] for case, rows in runs.items()}
    reference = ofdm.read(data, ht.FILE, ht.Case)
    found = OfdmValidation(out / "ht.md", tuple(ofdm.points(reference, ours)))
    with replacing(found.page) as temporary:
        temporary.write_text(_page(found), encoding="utf-8")
    return found


def _page(found: OfdmValidation) -> str:
    return f"""# 802.11n beside ns-3

This page is made by `make generate` from the runs that `make validate` keeps; do not edit it. The
data of ns-3.37 and how they were made are described in
[data/README_ofdm.md](data/README_ofdm.md).

Both send [A-MPDUs](../guides/ofdm.md#80211n-and-aggregation) up to 65535 B, 64 packets and
5.484 ms, with immediate block acknowledgments, in best effort. Where a table says "packets alone",
neither does. All else is as on [the page of 802.11a](ofdm.md), also the tolerances, which were set
before the first run:

| what | tolerance |
|---|---|
| durations of frames and answers | exact (test) |
| probability that bits are right | 1e-6 to ns-3's (test) |
| one saturated link | {100 * FORMULA:g} % to the formula, {100 * LINK:g} % to ns-3 |
| chains, UDP | {bars(BARS["udp"])} |
| chains, TCP NewReno and SACK, which are written twice | {bars(BARS["tcp"])} |
| points below {COLLAPSED:g} of what a chain could carry | a factor of {FACTOR:g} |

The tests are `cargo test -p multihop-medium batch` and `ofdm`. The formula holds where a queue of
100 packets, with those on the air, has enough for two frames.

**One link is off the formula by {100 * max(found.off_formula()):.2f} % at most. {verdict(found)}**

{groups(found, PARTS)}

## What is left

{findings.text("ht")}

## All points

Goodput in kbit/s, ± standard error over seeds: up to three runs of ns-3 of 1.5 to 3 s (four with
SACK), {SEEDS} here that are as long. A point that has collapsed is set in brackets.

{parts(found, PARTS)}"""
