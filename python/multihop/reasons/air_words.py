"""Where the air goes, in sentences: templates over the accounts of a traced run."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from .accounts import FULL, STARVED, Accounts, Purpose
from .geometry import Relation

# So many of a list are named, and the others are counted.
NAMED = 3


def air_words(found: Accounts) -> list[str]:
    """Say where the air went: air time, lost frames, dropped packets, waits, starved flows."""
    return [
        *_air(found),
        *_moves(found),
        *_losses(found),
        *_drops(found),
        *_waits(found),
        *_shares(found),
    ]


def percent(share: float) -> str:
    """Write a share in percent."""
    return f"{100 * share:.1f} %" if 0 < share < 0.1 else f"{100 * share:.0f} %"


def listed(parts: list[str], what: str, most: int = NAMED) -> str:
    """List the first parts, and count the others."""
    more = len(parts) - most
    return ", ".join(parts[:most]) + (f" and {more} more {what}" if more > 0 else "")


def _air(found: Accounts) -> Iterator[str]:
    total = found.air["air_s"].sum()
    if not total:
        yield f"No frame was sent in {found.span_s:g} s."
        return
    by = dict(found.air.group_by("purpose").agg(pl.col("air_s").sum()).iter_rows())
    parts = [f"{purpose} {percent(by[purpose] / total)}" for purpose in Purpose if purpose in by]
    together = f"All frames together took {total:.2f} s of air in {found.span_s:g} s"
    yield f"{together}: {', '.join(parts)}."
    links = (
        found.air.filter(pl.col("receiver") >= 0)
        .group_by("sender", "receiver")
        .agg(pl.col("air_s").sum())
        .sort("air_s", "sender", "receiver", descending=[True, False, False])
    )
    named = [
        f"{found.names[a]}->{found.names[b]} {seconds:.2f} s" for a, b, seconds in links.iter_rows()
    ]
    if len(named) > 1:
        yield f"Links that took most of it: {listed(named, 'links')}."
    if found.full:
        named = [found.names[node] for node in found.full]
        yield (
            f"The medium is full, busy for {percent(FULL)} of the time or more, around "
            f"{listed(named, 'nodes')}."
        )


def _moves(found: Accounts) -> Iterator[str]:
    around = found.around
    if around is None or not around.moves:
        return
    every = (around.end_ns - around.begin_ns) / 1e9 / len(around.moments)
    yield (
        f"Nodes move: who senses whom was looked at {len(around.moments)} times, every {every:.3g} "
        "s. A loss counts by the closest of them, and a pair of nodes by their mean."
    )


def _losses(found: Accounts) -> Iterator[str]:
    sent, lost = int(found.receptions["frames"].sum()), int(found.losses["frames"].sum())
    if not sent:
        return
    if not lost:
        yield f"None of {sent} frames was lost at the node that it was for."
        return
    causes = found.losses.group_by("outcome").agg(pl.col("frames").sum())
    parts = [
        f"{outcome.replace('_', ' ')} {count}"
        for outcome, count in causes.sort("frames", "outcome", descending=[True, False]).iter_rows()
    ]
    yield (
        f"Of {sent} frames, {lost} ({percent(lost / sent)}) were lost at the node that they were "
        f"for: {', '.join(parts)}."
    )
    by = dict(found.losses.group_by("relation").agg(pl.col("frames").sum()).iter_rows())
    said = {
        Relation.UNSENSED: "by nodes that the sender cannot sense (hidden)",
        Relation.UNREAD: "by nodes that the sender senses and cannot decode",
        Relation.NEAR: "by nodes in range of the sender",
        Relation.RECEIVER: "because the receiver itself was sending",
    }
    parts = [f"{by[kind.value]} {text}" for kind, text in said.items() if by.get(kind.value)]
    if parts:
        yield f"They were destroyed: {', '.join(parts)}."
    if not found.hidden.is_empty():
        pairs = [
            f"{found.names[destroyer]} destroyed {count} of {found.names[a]}->{found.names[b]}"
            + _apart(found, a, destroyer)
            for a, b, destroyer, count in found.hidden.iter_rows()
        ]
        yield f"Hidden pairs: {listed(pairs, 'pairs')}."
    order = int(found.losses.filter("by_order")["frames"].sum())
    if order:
        yield (
            f"{order} of the lost frames were strong enough to survive the other one, and were "
            "lost only because of their order."
        )
    together = int(found.losses.filter("by_sum")["frames"].sum())
    if together:
        yield (
            f"{together} of the lost frames were strong enough to survive any other one, and were "
            "lost only because several add up, with noise."
        )


def _apart(found: Accounts, node: int, other: int) -> str:
    """Say for which share of the time nodes that move do not sense each other."""
    if found.around is None or not found.around.moves:
        return ""
    return f" (unsensed for {percent(found.around.unsensed(node, other))} of the time)"


def _drops(found: Accounts) -> Iterator[str]:
    if found.drops.is_empty():
        yield "No node dropped a packet."
        return
    causes = (
        found.drops.group_by("cause")
        .agg(pl.col("packets").sum(), node=pl.col("node").sort_by("packets").last())
        .sort("packets", "cause", descending=[True, False])
    )
    parts = [
        f"{cause.replace('_', ' ')} {count} (most at {found.names[node]})"
        for cause, count, node in causes.iter_rows()
    ]
    yield f"Nodes dropped {found.drops['packets'].sum()} packets: {', '.join(parts)}."


def _waits(found: Accounts) -> Iterator[str]:
    if found.waits.is_empty():
        yield "No packet was delivered."
        return
    slowest = found.waits.sort("delay_s", "flow", descending=[True, False]).row(0, named=True)
    parts = {"at its source": "source_s", "in the custody of relays": "custody_s"}
    parts |= {"for and on the medium": "medium_s"}
    ms = ", ".join(f"{1e3 * slowest[key]:.1f} ms {text}" for text, key in parts.items())
    yield (
        f"A packet of the slowest flow, {found.flow_names[slowest['flow']]}, took "
        f"{1e3 * slowest['delay_s']:.1f} ms on average, over {slowest['packets']} packets: {ms}."
    )


def _shares(found: Accounts) -> Iterator[str]:
    starved = found.flows.filter("is_starved").sort("goodput_bit_s", "flow")
    for row in starved.head(NAMED).iter_rows(named=True):
        share = found.occupied.filter(flow=row["flow"])
        by = [f"{found.flow_names[other]} for {percent(s)}" for _, other, s in share.iter_rows()]
        why = ""
        if by:
            why = f"; its source sends or senses frames of {listed(by, 'flows')} of the time"
        best = max(found.flows["goodput_bit_s"].to_list())
        unit, scale = ("kbit/s", 1e3) if best >= 1e3 else ("bit/s", 1.0)
        yield (
            f"The flow {row['name']} starves, with less than {percent(STARVED)} of the best flow: "
            f"{row['goodput_bit_s'] / scale:.1f} of {best / scale:.1f} {unit}{why}."
        )
    if (more := starved.height - NAMED) > 0:
        yield f"{more} more flows starve."
