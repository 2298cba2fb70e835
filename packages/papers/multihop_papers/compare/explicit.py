"""All schemes in chains of 1 to 16 hops, and in a grid of 13 x 13 stations."""

from __future__ import annotations

from matplotlib.axes import Axes

from multihop.charting.figure import draw_lines
from multihop.comparing.measures import Measure
from multihop.reporting.report import Table
from multihop.reproducing.panels import Draw
from multihop.reproducing.spec import Data, FigureSpec, Panel

from .measures import LOGARITHMIC, SHOWN, line, measured, table
from .setup import NETWORKS, Network

LETTERS = "abcdefghijklmn"


def _draw(network: Network, measure: Measure) -> Draw:
    def draw(axes: Axes, data: Data) -> None:
        sizes = data.studies[network.schemes.name].x
        lines = [line(entry, sizes, measure) for entry in measured(data, network)]
        draw_lines(axes, lines, x=network.size, y=measure.title, log=measure in LOGARITHMIC)

    return draw


def _tables(data: Data) -> list[Table]:
    """Write a table for each network that was run."""
    return [table(data, network) for network in NETWORKS if network.schemes.name in data.studies]


PANELS = [(network, measure) for measure in SHOWN for network in NETWORKS]

FIGURE = FigureSpec(
    "compare/explicit",
    "All schemes side by side, in chains and in a grid",
    tuple(
        Panel(
            f"compare/explicit{letter}",
            f"{measure.name}: {network.title}",
            _draw(network, measure),
            (),
            (network.schemes, network.search),
        )
        for letter, (network, measure) in zip(LETTERS, PANELS, strict=True)
    ),
    tables=_tables,
)
