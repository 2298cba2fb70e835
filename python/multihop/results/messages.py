"""Messages for everyone by what they are, by hour and by node: short tables of long ones."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

HOUR_S = 3600.0
# By what messages can be put together.
GROUPINGS = ("kind", "hour", "node")


def grouped(tables: Mapping[str, pl.DataFrame], by: str) -> pl.DataFrame:
    """Return what became of the messages that were sent while measuring, by kind, hour or node.

    A kind is what their flow is called, or their class. Hours count from the beginning of
    measuring. Nodes have the share of the time in which they transmitted and received, too.
    """
    if by not in GROUPINGS:
        raise ValueError(f"'{by}' is none of {', '.join(GROUPINGS)}")
    run = tables["runs"].row(0, named=True)
    flows = tables["flows"].select("flow", pl.col("name").alias("flow_name"))
    messages = (
        tables["messages"]
        .filter(pl.col("time_s") >= run["warmup_s"])
        .join(flows, on="flow", how="left", maintain_order="left")
        .with_columns(
            kind=pl.when(pl.col("flow_name").str.contains(" "))
            .then(pl.col("flow_name").str.extract(r"^(.*) \S+$"))
            .otherwise(pl.col("class")),
            hour=((pl.col("time_s") - run["warmup_s"]) / HOUR_S).floor().cast(pl.Int64),
            node=pl.col("source"),
        )
    )
    if by != "node":
        return _measured(messages, by).sort(by)
    texts = _measured(messages.filter(pl.col("class") == "text"), "node")
    nodes = tables["nodes"].select(
        node="name",
        transmit_share=pl.col("transmit_s") / run["duration_s"],
        receive_share=pl.col("receive_s") / run["duration_s"],
    )
    return nodes.join(texts, on="node", how="left", maintain_order="left")


def _measured(messages: pl.DataFrame, by: str) -> pl.DataFrame:
    far, far_reached = (
        pl.col("addressed") - pl.col("near"),
        pl.col("reached") - pl.col("near_reached"),
    )
    return messages.group_by(by, maintain_order=True).agg(
        messages=pl.len(),
        reach=pl.col("reach").mean(),
        reach_near=pl.col("near_reached").sum() / pl.col("near").sum(),
        reach_far=far_reached.sum() / far.sum(),
        delay_median_s=pl.col("median_delay_s").fill_nan(None).median(),
        frames_per_message=pl.col("frames").mean(),
    )
