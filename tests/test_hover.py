"""Values that the drawings of a page answer with."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from multihop.charting.figure import FLOWS, INK, Line, canvas, draw_bound, draw_lines
from multihop.reporting.report import Page, Picture, render

X = np.array([10.0, 100.0, 400.0])


def picture(*, log: bool = False) -> Picture:
    lines = [
        Line("UDP", FLOWS[0], X, np.array([10.0, 90.0, 20.0]), np.ones(3)),
        Line("CXCC", FLOWS[1], X, np.array([10.0, np.nan, 0.0]), np.ones(3)),
    ]
    with canvas("curves", 1, columns=1, size=(4.0, 3.0)) as drawing:
        (axes,) = drawing.axes
        draw_lines(axes, lines, x="load (kbit/s)", y="goodput (kbit/s)", log=log)
        draw_bound(axes, X, np.full(3, 120.0), INK)
        return drawing.picture("curves", "Curves")


def test_points_are_where_they_are_drawn() -> None:
    (drawing,) = picture().drawings
    curves = {curve["name"]: curve for curve in json.loads(drawing.curves)}
    assert set(curves) == {"UDP", "CXCC", "the bound"}
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing.svg)[0])
    number = curves["UDP"]["number"]
    # Error bars come first; the line itself is one path through all points.
    paths = re.findall(rf'<g data-curve="{number}">\s*<path d="([^"]*)"', drawing.svg)
    lines = [re.findall(r"[ML] ([\d.]+) ([\d.]+)", path) for path in paths]
    drawn = next(line for line in lines if len(line) == len(X))
    points = curves["UDP"]["at"]
    assert len(points) == len(X)
    for (x, y), (left, top, *_) in zip(drawn, points, strict=True):
        assert float(x) == pytest.approx(left * width, abs=0.1)
        assert float(y) == pytest.approx(top * height, abs=0.1)
    # What is drawn in ink has the colour of the page's text.
    assert curves["the bound"]["color"] == "currentColor"
    assert [point[2:] for point in points] == [[10, 10], [100, 90], [400, 20]]


def test_what_is_not_drawn_is_no_value() -> None:
    for log, values in ((False, [10, 0]), (True, [10])):
        curves = json.loads(picture(log=log).drawings[0].curves)
        cxcc = next(curve for curve in curves if curve["name"] == "CXCC")
        assert [point[3] for point in cxcc["at"]] == values


def test_curves_have_the_numbers_of_the_legend() -> None:
    shown = picture()
    curves = json.loads(shown.drawings[0].curves)
    assert all(shown.legend[curve["number"]].label == curve["name"] for curve in curves)
    marked = {int(n) for n in re.findall(r'data-curve="(\d+)"', shown.drawings[0].svg)}
    assert marked == {curve["number"] for curve in curves}


def test_the_page_is_one_file_and_its_drawings_need_no_script() -> None:
    page = render(Page("Title", "lead", "command", "engine", pictures=[picture()]))
    assert page.count("<script>") == 1
    assert "</script" not in page[page.index("<script>") : page.rindex("</script>")]
    assert not re.search(r'<(?:script|link|img)[^>]*(?:src|href)="http', page)
    silent = re.sub(r"<script>.*</script>", "", page, flags=re.DOTALL)
    assert "<svg" in silent
    assert "the bound" in silent
