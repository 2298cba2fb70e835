"""How CXCC's figures are drawn: curves over the offered load, and sequence charts."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from multihop.charting.cases import Case, Window, find_cases
from multihop.charting.sequence import draw_sequence
from multihop.reproducing.panels import Draw, curves
from multihop.reproducing.spec import Data, Panel, Study, Trace

from .relations import DELAY, GOODPUT, OVERHEAD

LEGEND = "Bars: time on the air; dashed: overheard; crosses: lost; grey: other packets."
LOAD = "load of each source (kbit/s)"


def throughput(study: Study, variants: Sequence[str] = ()) -> Draw:
    """Draw the throughput of all flows together, of some variants or of all."""
    return curves(study, variants, GOODPUT, (LOAD, "throughput (kbit/s)"), scale=1e-3)


def delay(study: Study) -> Draw:
    """Draw the mean packet delay."""
    return curves(study, (), DELAY, (LOAD, "mean network delay (s)"), log=True)


def overhead(study: Study) -> Draw:
    """Draw the bytes on the medium per payload byte and hop."""
    return curves(study, (), OVERHEAD, (LOAD, "bytes per payload byte and hop"))


def sequence(panel: str, case: Case, trace: Trace) -> Panel:
    """Make the panel that shows one situation, found in a real run."""

    def found(data: Data) -> Window | None:
        # A trace is searched once for all its panels, which are drawn and judged.
        events = data.traces[trace.name].events
        return data.once(f"cases of {trace.name}", lambda: find_cases(events)).get(case.name)

    def draw(axes: Axes, data: Data) -> None:
        window = found(data)
        if window is None:
            axes.text(0.5, 0.5, "not found in this run", ha="center", transform=axes.transAxes)
            axes.set_axis_off()
        else:
            draw_sequence(axes, data.traces[trace.name].events, window)

    # Any code with the rules of 4.1 and 5.2 shows it: there is nothing to judge.
    return Panel(panel, case.title, draw, (), traces=(trace,))
