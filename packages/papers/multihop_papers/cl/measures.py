"""What CL's figures show of the runs: throughput and delivery ratio, acknowledgments counted."""

from __future__ import annotations

import numpy as np
import polars as pl

from multihop.reproducing.spec import StudyData
from multihop.statistics.stats import Values

from .setup import ACKNOWLEDGED, PAYLOAD_BITS, TCP


def total(data: StudyData, variant: str, column: str) -> Values:
    """Return the sum of a column over the flows: a row for each x, an entry for each seed."""
    flows = data.flows.filter(variant=variant)
    sums = flows.group_by("x", "seed").agg(pl.col(column).cast(pl.Float64).sum())
    values: Values = sums.sort("x", "seed")[column].to_numpy()
    return values.reshape(len(data.x), -1)


def _answered(data: StudyData, variant: str) -> bool:
    return variant in ACKNOWLEDGED or data.study.variants[variant].scheme == "udp-ack"


def arrived(data: StudyData, variant: str) -> Values:
    """Return the packets that count: those that were acknowledged, or else delivered."""
    return total(data, variant, "acknowledged" if _answered(data, variant) else "delivered")


def throughput(data: StudyData, variant: str) -> Values:
    """Return the throughput of all flows in bit/s: a row for each x, an entry for each seed."""
    seconds = data.values(variant, "duration_s")
    return arrived(data, variant) * PAYLOAD_BITS / seconds


def sent(data: StudyData, variant: str) -> Values:
    """Return the packets that the sources have sent, counting those that TCP sends again."""
    again = total(data, variant, "segment_retransmissions") if variant == TCP else 0.0
    return total(data, variant, "offered") + again


def ratio(data: StudyData, variant: str) -> Values:
    """Return the delivery ratio: a row for each x, an entry for each seed."""
    return arrived(data, variant) / sent(data, variant)


def best(curve: Values) -> int:
    """Return the row in which a curve has its highest mean."""
    return int(np.argmax(curve.mean(axis=1)))
