"""What CXCC says of short transfers in random networks (figures 19 to 21).

The rules of `relations.py` hold here as well; the others are:

- a transfer lasts from its first packet at the source to the delivery of its last, in order; one
  that is not complete when the run ends counts as if it ended then;
- "the vast majority" is four fifths, "much earlier" at most three quarters of the time;
- a rate is smoother if its longest pause is shorter; pauses are counted in half seconds.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from ...stats import Values
from ..rules import STATED
from ..spec import Claim, Data, Finding, Study, StudyData
from .relations import ALMOST_ALL, each, title
from .rivals import CXCC, END_S, WITHOUT_RTS

RIVAL_TCPS = tuple(name for name in WITHOUT_RTS if name != CXCC)
PAYLOAD = 512
# "Long periods of inactivity", "for a long time": our number.
LONG_S = 60.0
# The slowest transfers.
SLOWEST = 0.05
# "Far faster", on a logarithmic axis.
FAR = 2.0


def transfers(measured: StudyData, variant: str, end_s: float = END_S) -> pl.DataFrame:
    """Return start, duration and throughput of every transfer, in the order of x, seed and flow.

    A run ends at `end_s`, in s.
    """
    keys = ["x", "seed", "flow"]
    # The same bytes whatever the scheme, some of which may not have offered all of them yet.
    size = measured.flows.group_by(keys).agg(packets=pl.max("run_offered"))
    end = pl.when(pl.col("run_delivered") < pl.col("packets")).then(end_s)
    return (
        measured.flows.filter(variant=variant)
        .join(size, on=keys)
        .with_columns(end_s=end.otherwise(pl.col("last_delivery_s")))
        .with_columns(duration_s=pl.col("end_s") - pl.col("first_offer_s"))
        .with_columns(rate_bit_s=8 * PAYLOAD * pl.col("packets") / pl.col("duration_s"))
        .sort(keys)
    )


def durations(measured: StudyData, variant: str) -> Values:
    """Return how long every transfer takes, in s."""
    found: Values = transfers(measured, variant)["duration_s"].to_numpy()
    return found


def rates(measured: StudyData, variant: str) -> Values:
    """Return the throughput of every transfer, in bit/s."""
    found: Values = transfers(measured, variant)["rate_bit_s"].to_numpy()
    return found


def pauses(measured: StudyData, variant: str) -> Values:
    """Return every transfer's longest time without an arrival, in s."""
    series = measured.others["series"].filter(pl.col("delivered") > 0, variant=variant)
    found = []
    for transfer in transfers(measured, variant).iter_rows(named=True):
        own = series.filter(flow=transfer["flow"], x=transfer["x"], seed=transfer["seed"])
        ends = [transfer["first_offer_s"], *own["time_s"].sort(), transfer["end_s"]]
        found.append(float(np.diff(ends).max()))
    return np.array(found)


def much_earlier(study: Study, note: str = "") -> Claim:
    """Claim that most transfers end much earlier with CXCC than with every TCP."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        own = durations(measured, CXCC)
        others = np.min([durations(measured, name) for name in RIVAL_TCPS], axis=0)
        share = float((own <= (1 - STATED) * others).mean())
        earlier = float((own < others).mean())
        text = f"{share:.0%}, and {earlier:.0%} earlier at all"
        return Finding(share >= ALMOST_ALL, text)

    return Claim(
        "for the vast majority of transmissions CXCC delivers the last segment much earlier than "
        "all TCP variants",
        f"in at most {1 - STATED} of the time of the fastest of them, for {ALMOST_ALL:.0%}",
        judge,
        note,
    )


def smoother(study: Study, note: str = "") -> Claim:
    """Claim that most transfers progress more smoothly with CXCC."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        own = pauses(measured, CXCC)
        shares = [float((own < pauses(measured, name)).mean()) for name in RIVAL_TCPS]
        text = "against " + each(measured, RIVAL_TCPS, shares)
        return Finding(min(shares) >= ALMOST_ALL, text)

    return Claim(
        "and sustains a smoother rate",
        f"a shorter longest pause than with each of them, for {ALMOST_ALL:.0%}",
        judge,
        note,
    )


def inactive(study: Study, note: str = "") -> Claim:
    """Claim that with every TCP some transfers rest for a long time, with CXCC fewer."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        counts = {name: int((pauses(measured, name) > LONG_S).sum()) for name in WITHOUT_RTS}
        text = "; ".join(f"{title(study, name)} {count}" for name, count in counts.items())
        fewest = min(counts[name] for name in RIVAL_TCPS)
        return Finding(fewest > counts[CXCC], f"{text} of {len(durations(measured, CXCC))}")

    return Claim(
        "TCP's retransmission timeouts cause long periods of inactivity",
        f"with each TCP more transfers pause for over {LONG_S:g} s than with CXCC",
        judge,
        note,
    )


def faster(study: Study, note: str = "") -> Claim:
    """Claim the general trend to higher throughputs."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        medians = [float(np.median(rates(measured, name))) / 1e3 for name in WITHOUT_RTS]
        text = each(measured, WITHOUT_RTS, medians) + " kbit/s"
        return Finding(medians[0] > max(medians[1:]), text)

    return Claim(
        "there is a general trend to higher throughputs with CXCC",
        "the highest median of the transfers' throughputs",
        judge,
        note,
    )


def minimum_share(study: Study, note: str = "") -> Claim:
    """Claim that CXCC's slowest transfers are far faster than every TCP's slowest."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        slow = [float(np.quantile(rates(measured, v), SLOWEST)) / 1e3 for v in WITHOUT_RTS]
        least = [float(rates(measured, name).min()) / 1e3 for name in WITHOUT_RTS]
        text = (
            f"{each(measured, WITHOUT_RTS, slow)} kbit/s; the very slowest "
            f"{each(measured, WITHOUT_RTS, least)}"
        )
        holds = slow[0] >= FAR * max(slow[1:]) and least[0] > max(least[1:])
        return Finding(holds, text)

    return Claim(
        "the CXCC connections all obtain at least some minimum share, while with TCP many have a "
        "very low throughput",
        f"the slowest {SLOWEST:.0%} at least {FAR:g} times as fast as any TCP's, and the very "
        "slowest faster",
        judge,
        note,
    )


def evener(study: Study, note: str = "") -> Claim:
    """Claim CXCC's significantly better fairness."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        spread = [
            float(np.quantile(rates(measured, name), 0.1) / np.median(rates(measured, name)))
            for name in WITHOUT_RTS
        ]
        holds = spread[0] >= (1 + STATED) * max(spread[1:])
        return Finding(holds, each(measured, WITHOUT_RTS, spread))

    return Claim(
        "a significantly better fairness of CXCC is evident",
        f"the slowest tenth gets a part of the median that is at least {STATED:.0%} larger",
        judge,
        note,
    )
