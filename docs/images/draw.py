"""Draw the README's picture from the demo's own runs: `python docs/images/draw.py`."""

from pathlib import Path

from multihop.charting.figure import INK, canvas, draw_bound, lay_out, save_small
from multihop.gallery.demo import STUDY, THROUGHPUT, demo
from multihop.reproducing.spec import Data

done = demo()
with canvas("demo-throughput", 1, columns=1, size=(6.4, 3.6)) as drawing:
    draw_bound(drawing.axes[0], done.data.x, done.bound_bit_s / 1e3, INK)
    THROUGHPUT(drawing.axes[0], Data(studies={STUDY.name: done.data}))
    drawing.axes[0].set_title("chain of 10 hops, a flow each way, 1 Mbit/s")
    drawing.legend()
    lay_out(drawing.figure)
    path = Path(__file__).with_name("demo-throughput.svg")
    save_small(drawing.figure, path)
