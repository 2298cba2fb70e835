"""Charts in one's own words and fonts, LaTeX tables, and what objects say of themselves."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

import multihop
from multihop import ChartError, Result
from multihop.charting.latex import tabular
from multihop.charting.presentation import inches
from multihop.charting.stored import Plot
from tests.conftest import TINY, Cli


def stacked() -> Result:
    rows = [
        {"run": f"{scheme}{load}{seed}", "scheme.name": scheme, "traffic.load": f"{load} kbit/s"}
        | {"seed": seed, "goodput_bit_s": 1e3 * (load + seed)}
        for scheme in ("udp", "cxcc")
        for load in (20, 60)
        for seed in (1, 2)
    ]
    return Result({"runs": pl.DataFrame(rows)})


@pytest.fixture
def plot() -> Plot:
    return stacked().plot("load", "goodput", by="scheme")


def test_words_and_order_are_one_s_own(plot: Plot) -> None:
    own = plot.presented(
        title="Overload",
        x_label="offered load (kbit/s)",
        y_label="what arrives (kbit/s)",
        labels={"udp": "plain UDP"},
        order=["cxcc"],
    )
    assert own.table["line"].unique(maintain_order=True).to_list() == ["cxcc", "plain UDP"]
    svg = own._repr_svg_()
    for word in ("Overload", "offered load (kbit/s)", "what arrives (kbit/s)", ">plain UDP<"):
        assert word in svg
    vega = own.to_vega()
    assert vega["title"] == "Overload"
    # colours stay with the scheme, whatever it is called
    scale = vega["layer"][1]["encoding"]["color"]["scale"]
    before = plot.to_vega()["layer"][1]["encoding"]["color"]["scale"]
    colors = dict(zip(scale["domain"], scale["range"], strict=True))
    assert colors["plain UDP"] == dict(zip(before["domain"], before["range"], strict=True))["udp"]
    assert plot.table["line"][0] == "udp"  # nothing was changed in place


def test_fonts_and_sizes_reach_the_figure(plot: Plot) -> None:
    figure = plot.presented(font="DejaVu Serif", font_size=13, size=(5.0, 2.5)).figure()
    assert isinstance(figure, Figure)
    assert tuple(figure.get_size_inches()) == (5.0, 2.5)
    label = figure.axes[0].xaxis.label
    assert label.get_fontname() == "DejaVu Serif"
    assert label.get_fontsize() == 13
    figure.axes[0].set_xlabel("changed")  # a figure of matplotlib, to be changed at will


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"labels": {"upd": "x"}}, "no line is called 'upd', did you mean 'udp'"),
        ({"order": ["tahoe"]}, "no line is called 'tahoe'; there are: udp, cxcc"),
        ({"font": "DejaVu Sefir"}, "no font 'DejaVu Sefir' is installed; .*DejaVu Serif"),
        ({"font_size": 0.0}, "a font of 0 points; give 1 to 100"),
    ],
)
def test_what_cannot_be_presented_is_refused(plot: Plot, how: Any, message: str) -> None:
    with pytest.raises(ChartError, match=message):
        plot.presented(**how).figure()


@pytest.mark.parametrize("text", ["3.4", "3x", "0x2", "3.4x1e9", "3..4x2", "100x2"])
def test_sizes_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ChartError, match="in inches, at most 50 each, as in"):
        inches(text)
    assert inches("3.4x2.4") == (3.4, 2.4)


def test_latex_escapes_words_and_sets_numbers_right() -> None:
    table = tabular(["scheme & co", "50%"], [["a_b", "1.0 ± 0.5"], ["x^2", "-"]])
    assert table.splitlines() == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"scheme \& co & 50\% \\",
        r"\midrule",
        r"a\_b & 1.0 $\pm$ 0.5 \\",
        r"x\textasciicircum{}2 & - \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_commands_print_latex(cli: Cli, tmp_path: Path) -> None:
    scenario = tmp_path / "tiny.toml"
    scenario.write_text(TINY)
    words = ("compare", scenario, "--schemes", "udp,cxcc", "--out", tmp_path / "out")
    done = cli(*words, "--latex")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("\\begin{tabular}{lr")
    assert "goodput (kbit/s)" in done.stdout
    refused = cli(*words, "--latex", "--json")
    assert (refused.returncode, "two forms of one output" in refused.stderr) == (2, True)
    drawn = ("figure", tmp_path / "out", "--x", "scheme", "--y", "goodput", "--label", "udp")
    assert "--label 'udp' is not KEY=VALUE, as in udp=plain UDP" in cli(*drawn).stderr
    chart = cli(*drawn[:-2], "--out", tmp_path / "a.tex", "--latex", "--y-label", "goodput & more")
    assert chart.returncode == 0, chart.stderr
    assert "goodput \\& more" in chart.stdout
    assert (tmp_path / "a.tex").read_text() == chart.stdout


def test_objects_say_in_a_line_what_they_are(plot: Plot) -> None:
    assert repr(stacked()) == "<Result: runs (8 rows)>"
    assert repr(plot) == "<Plot: mean goodput over load by scheme>"


def test_functions_take_paths_numbers_of_seeds_and_numpy(tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY)
    base = multihop.Scenario.from_file(path)
    mark = multihop.run(base).runs["fingerprint"].item()
    for given in (path, str(path), multihop.ScenarioFile.read(path)):
        assert multihop.run(given).runs["fingerprint"].item() == mark
    seeded = base.with_(seed=np.int64(3), **{"traffic.interval_jitter": np.float64(0.5)})
    assert seeded == base.with_(seed=3, **{"traffic.interval_jitter": 0.5})
    found = multihop.compare(path, ["udp", "cxcc"], seeds=2, out=tmp_path / "o", progress=False)
    assert sorted(found.result.runs["seed"].unique()) == [1, 2]
    assert repr(found).startswith("<Comparison: 2 rows, 4 runs; page: ")
    grid = {"seed": np.arange(1, 3), "topology.hops": [np.int32(2), np.int32(3)]}
    swept = multihop.sweep(str(path), grid, tmp_path / "s", progress=False)
    assert swept.runs["topology.hops"].to_list() == [2, 3, 2, 3]
    assert multihop.bound(path).bound_bit_s == multihop.bound(base).bound_bit_s
