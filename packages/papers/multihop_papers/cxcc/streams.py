"""What CXCC says of short transfers in random networks (figures 19 to 21).

The rules of `relations.py` hold here as well; the others are:

- a transfer lasts from its first packet at the source to the delivery of its last, in order; one
  that is not complete when the run ends counts as if it ended then;
- "the vast majority" is four fifths, "much earlier" at most three quarters of the time;
- a rate is smoother if its longest pause is shorter; pauses are counted in half seconds;
- a transfer starts early in the first half of the time in which they start, and the network is
  idle a minute after the vast majority are complete;
- figures 19 and 20 draw one network; what the paper says of them is judged in all five, as figure
  21: intervals are over the networks.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from multihop.reproducing.judging import Compared, above, at_least, difference, finding, mean
from multihop.reproducing.rules import STATED
from multihop.reproducing.spec import Claim, Data, Finding, Study, StudyData
from multihop.statistics.stats import Mask, Values

from .relations import ALMOST_ALL, each, factors, title, titles
from .rivals import CXCC, END_S, WITHOUT_RTS

RIVAL_TCPS = tuple(name for name in WITHOUT_RTS if name != CXCC)
PAYLOAD = 512
# "Long periods of inactivity", "for a long time": our number.
LONG_S = 60.0
# "Start quite early": half of the 120 s in which transfers start.
EARLY_S = 60.0
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
    own = transfers(measured, variant)
    keys = ["x", "seed", "flow"]
    series = measured.others["series"].filter(pl.col("delivered") > 0, variant=variant)
    ends = [own.select(*keys, time_s=pl.col(end)) for end in ("first_offer_s", "end_s")]
    times = pl.concat([series.select(*keys, "time_s"), *ends], how="vertical_relaxed")
    longest = times.sort(*keys, "time_s").group_by(keys).agg(pl.col("time_s").diff().max())
    found: Values = longest.sort(keys)["time_s"].to_numpy()
    return found


def _by_network(measured: StudyData, values: Values | Mask) -> Values:
    """Return the mean over the transfers of each network."""
    means: Values = values.astype(float).reshape(len(measured.x), -1).mean(axis=1)
    return means


def much_earlier(study: Study, note: str = "") -> Claim:
    """Claim that most transfers end much earlier with CXCC than with every TCP."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        own = durations(measured, CXCC)
        others = np.min([durations(measured, name) for name in RIVAL_TCPS], axis=0)
        found = mean(_by_network(measured, own <= (1 - STATED) * others))
        earlier = float((own < others).mean())
        text = f"{found.value:.0%}, and {earlier:.0%} earlier at all"
        return finding(text, [at_least(found, ALMOST_ALL, "the share")])

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
        shares = [mean(_by_network(measured, own < pauses(measured, v))) for v in RIVAL_TCPS]
        text = "against " + each(measured, RIVAL_TCPS, [one.value for one in shares])
        named = zip(shares, titles(study, RIVAL_TCPS), strict=True)
        return finding(text, [at_least(one, ALMOST_ALL, name) for one, name in named])

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
        long = {name: pauses(measured, name) > LONG_S for name in WITHOUT_RTS}
        text = "; ".join(f"{title(study, name)} {found.sum()}" for name, found in long.items())
        own, *others = (_by_network(measured, found) for found in long.values())
        named = zip(others, titles(study, RIVAL_TCPS), strict=True)
        more = [above(difference(other, own), 0, f"{name}'s surplus") for other, name in named]
        return finding(f"{text} of {len(durations(measured, CXCC))}", more)

    return Claim(
        "TCP's retransmission timeouts cause long periods of inactivity",
        f"with each TCP more transfers pause for over {LONG_S:g} s than with CXCC",
        judge,
        note,
    )


def _stuck(measured: StudyData, variant: str) -> Values:
    """Count the transfers that start early and are not complete in the idle network, by network."""
    idle = pl.col("end_s").quantile(ALMOST_ALL, "lower") + LONG_S
    stuck = (pl.col("first_offer_s") < EARLY_S) & (pl.col("end_s") > idle)
    counts = transfers(measured, variant).group_by("x").agg(stuck.sum().alias("stuck"))
    found: Values = counts.sort("x")["stuck"].to_numpy().astype(float)
    return found


def stuck_when_idle(study: Study, note: str = "") -> Claim:
    """Claim that with every TCP early transfers stay incomplete in the idle network."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        stuck = {name: _stuck(measured, name) for name in WITHOUT_RTS}
        text = "; ".join(f"{title(study, name)} {found.sum():.0f}" for name, found in stuck.items())
        own, *others = stuck.values()
        named = zip(others, titles(study, RIVAL_TCPS), strict=True)
        more = [above(difference(other, own), 0, f"{name}'s surplus") for other, name in named]
        return finding(f"{text} of {len(durations(measured, CXCC))}", more)

    return Claim(
        "with TCP a number of transmissions that start early are not able to complete for a long "
        "time, even when the network is idle",
        f"of those that start in the first {EARLY_S:g} s, more with each TCP than with CXCC are "
        f"not complete {LONG_S:g} s after {ALMOST_ALL:.0%} of all transfers",
        judge,
        note,
    )


def _median(measured: StudyData, variant: str) -> float:
    return float(np.median(rates(measured, variant)))


def _slowest(measured: StudyData, variant: str) -> float:
    return float(np.quantile(rates(measured, variant), SLOWEST))


def _least(measured: StudyData, variant: str) -> float:
    return float(rates(measured, variant).min())


def _tenth(measured: StudyData, variant: str) -> float:
    return float(np.quantile(rates(measured, variant), 0.1)) / _median(measured, variant)


def _ahead(
    data: Data, study: Study, measure: Callable[[StudyData, str], float], factor: float
) -> list[Compared]:
    """Compare: CXCC's number is so many times that of every TCP, over the networks."""

    def ratios(part: Data) -> list[float]:
        measured = part.studies[study.name]
        return [measure(measured, CXCC) / measure(measured, name) for name in RIVAL_TCPS]

    named, _ = factors(data, ratios, titles(study, RIVAL_TCPS))
    return [above(one, factor, f"CXCC over {name}") for one, name in named]


def faster(study: Study, note: str = "") -> Claim:
    """Claim the general trend to higher throughputs."""

    def judge(data: Data) -> Finding:
        measured = data.studies[study.name]
        medians = [_median(measured, name) / 1e3 for name in WITHOUT_RTS]
        text = each(measured, WITHOUT_RTS, medians) + " kbit/s"
        return finding(text, _ahead(data, study, _median, 1.0))

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
        slow = [_slowest(measured, name) / 1e3 for name in WITHOUT_RTS]
        least = [_least(measured, name) / 1e3 for name in WITHOUT_RTS]
        text = (
            f"{each(measured, WITHOUT_RTS, slow)} kbit/s; the very slowest "
            f"{each(measured, WITHOUT_RTS, least)}"
        )
        faster = _ahead(data, study, _slowest, FAR) + _ahead(data, study, _least, 1.0)
        return finding(text, faster)

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
        spread = [_tenth(measured, name) for name in WITHOUT_RTS]
        text = each(measured, WITHOUT_RTS, spread)
        return finding(text, _ahead(data, study, _tenth, 1 + STATED))

    return Claim(
        "a significantly better fairness of CXCC is evident",
        f"the slowest tenth gets a part of the median that is at least {STATED:.0%} larger",
        judge,
        note,
    )
