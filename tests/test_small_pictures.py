"""Pictures that are kept with the code are small, and show what they show."""

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from multihop.charting.figure import canvas, compact, lay_out

ROOT = Path(__file__).resolve().parent.parent


def test_a_small_picture_has_the_same_text_and_curves() -> None:
    with canvas("small", 2, columns=2, size=(3, 2)) as drawing:
        for axes in drawing.axes:
            axes.plot([0, 1, 2], [0.123456789, 1.23456789, 0.5], label="a curve")
            axes.set_title("of what <is> shown")
        drawing.legend()
        lay_out(drawing.figure)
        buffer = io.StringIO()
        drawing.figure.savefig(buffer, format="svg")
    whole = buffer.getvalue()
    small = compact(whole)
    assert small.count("\n") == 3, "a line for each panel, and one before"
    assert len(small) < 0.75 * len(whole)
    texts = [re.findall(r">([^<>\n]+)</text>", svg) for svg in (whole, small)]
    assert texts[0] == texts[1]
    assert texts[1].count("of what &lt;is&gt; shown") == 2
    for name in ("path", "use", "text"):
        assert small.count(f"<{name}") == whole.count(f"<{name}"), name
    ElementTree.fromstring(small)


@pytest.mark.parametrize("path", sorted(ROOT.glob("docs/**/*.svg")), ids=lambda path: path.name)
def test_pictures_of_the_pages_are_small_and_shown(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") < 30, "write it with save_small"
    pages = [page.read_text(encoding="utf-8") for page in ROOT.glob("docs/**/*.md")]
    pages.append((ROOT / "README.md").read_text(encoding="utf-8"))
    assert any(f"{path.name})" in page for page in pages), "no page shows it"
