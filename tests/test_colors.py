"""What is told apart by colour can be seen on light and on dark pages, and by more than colour."""

import itertools

import pytest

from multihop import schemes
from multihop.charting.figure import COLORS, FAINT, FLOWS, scheme_style
from multihop.charting.sequence import COLORS as FRAMES, LOST
from multihop.reporting.verdicts import VERDICTS
from multihop.reproducing.registry import FIGURES
from multihop.reproducing.spec import Study
from multihop_papers.cxcc.fig4 import REASONS
from tests.contrast import contrast, themes

# WCAG 2.2: 1.4.11 for graphics, 1.4.3 for text.
GRAPHICS = 3.0
TEXT = 4.5
CURVES = {
    **{scheme["name"]: scheme["color"] for scheme in schemes()},
    **{f"flow {number}": style.color for number, style in enumerate(FLOWS, 1)},
    **{f"frame {name}": color for name, color in FRAMES.items()},
    **{title: style.color for title, style in REASONS.values()},
    **{f"default {number}": color for number, color in enumerate(COLORS)},
    "lost": LOST,
    "other packets": FAINT,
}
STUDIES = {
    study.name: study for figure in FIGURES for panel in figure.panels for study in panel.studies
}
# Their variants are points of a search or runs of their own, and never curves of one panel.
NO_CURVES = {
    *("lecn-search-tcp", "lecn-search-thinning", "hxh-trades"),
    *(name for name in STUDIES if name.startswith("compare-") and name.endswith("-load")),
    *("wake-best-load", "wake-length-load"),
}


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#ffff00", "#ffffff") < GRAPHICS


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", CURVES)
def test_every_curve_can_be_seen(name: str, theme: str) -> None:
    assert contrast(CURVES[name], themes()[theme]["ground"]) >= GRAPHICS


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["text", "faint", "link", *VERDICTS])
def test_every_word_can_be_read(name: str, theme: str) -> None:
    colors = themes()[theme]
    assert contrast(colors[name], colors["ground"]) >= TEXT
    assert contrast(colors[name], colors["box"]) >= TEXT


@pytest.mark.parametrize("name", sorted(STUDIES.keys() - NO_CURVES))
def test_curves_of_a_study_differ_by_more_than_colour(name: str) -> None:
    assert len(looks(STUDIES[name])) == len(STUDIES[name].variants)


def looks(study: Study) -> set[tuple[str, bool]]:
    return {
        (variant.marker or scheme_style(variant.scheme).marker, variant.secondary)
        for variant in study.variants.values()
    }


def test_flows_differ_by_colour_and_by_marker() -> None:
    for one, other in itertools.combinations(FLOWS, 2):
        assert one.color != other.color
        assert one.marker != other.marker
