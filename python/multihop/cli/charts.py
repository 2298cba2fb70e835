"""`figure`: a chart of a sweep."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .app import (
    AsJson,
    AsLatex,
    Workers,
    app,
    check_file,
    one_of,
    one_output,
    settings_of,
    split,
)
from .bounds import objective_names
from .output import print_json, print_table, say
from .precision import MaxSeeds, Precision, precise
from .sweeps import Folder

if TYPE_CHECKING:
    from ..charting.stored import Plot


def _styles() -> list[str]:
    from ..charting.drawing import LOOKS

    return list(LOOKS)


@app.command()
def figure(
    folder: Folder,
    x: Annotated[str, typer.Option("--x", metavar="KEY", help="Key on the x axis: load.")],
    y: Annotated[str, typer.Option("--y", metavar="COLUMN", help="On the y axis: goodput.")],
    by: Annotated[
        str, typer.Option(metavar="A,B,...", help="Keys with a line for each value: scheme.")
    ] = "",
    facet: Annotated[
        str | None, typer.Option(metavar="KEY", help="Key with a panel for each value.")
    ] = None,
    median: Annotated[
        bool, typer.Option("--median", help="Medians and their intervals instead of means.")
    ] = False,
    log: Annotated[str, typer.Option(metavar="AXES", help="Logarithmic axes: x, y or x,y.")] = "",
    where: Annotated[
        list[str],
        typer.Option(metavar="KEY=VALUE", help="Only runs with this value, as often as you like."),
    ] = [],  # noqa: B006
    table: Annotated[
        str, typer.Option(metavar="NAME", help="The table: runs, flows or nodes.")
    ] = "runs",
    bound: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Draw a bound: total, max-min or proportional.",
            autocompletion=one_of(objective_names),
        ),
    ] = None,
    style: Annotated[
        str,
        typer.Option(metavar="NAME", help="paper or page.", autocompletion=one_of(_styles)),
    ] = "paper",
    title: Annotated[str, typer.Option(metavar="TEXT", help="A title above the chart.")] = "",
    x_label: Annotated[str, typer.Option(metavar="TEXT", help="Label of the x axis.")] = "",
    y_label: Annotated[str, typer.Option(metavar="TEXT", help="Label of the y axis.")] = "",
    label: Annotated[
        list[str],
        typer.Option(metavar="LINE=TEXT", help="Name of a line, as often as you like."),
    ] = [],  # noqa: B006
    order: Annotated[str, typer.Option(metavar="A,B,...", help="Lines that come first.")] = "",
    font: Annotated[str, typer.Option(metavar="FAMILY", help="A font: Times New Roman.")] = "",
    font_size: Annotated[
        float | None, typer.Option(metavar="POINTS", help="The size of all text.")
    ] = None,
    size: Annotated[
        str, typer.Option(metavar="WxH", help="The size of a panel in inches: 3.4x2.4.")
    ] = "",
    out: Annotated[
        list[Path],
        typer.Option(
            "--out",
            metavar="FILE",
            help="A .png, .svg, .pdf, .tex (table) or .json (Vega-Lite) file, as often as you "
            "like.  [default: Y-over-X.svg]",
        ),
    ] = [],  # noqa: B006
    sweep: Annotated[
        str | None, typer.Option(help="Name of the sweep, if there are several in the folder.")
    ] = None,
    precision: Precision = None,
    max_seeds: MaxSeeds = None,
    workers: Workers = None,
    as_latex: AsLatex = False,
    as_json: AsJson = False,
) -> None:
    """Draw a chart of a sweep: any column over any key that was varied, with confidence bands.

    Columns by their names, or as people call them: goodput is goodput_bit_s, load traffic.load.

    --precision adds seeds first, until the means on the y axis are known; they are a sweep of their
    own in the folder.

    Example: multihop figure results/sweep --x load --y goodput --by scheme --out goodput.pdf
    """
    from ..charting.naming import short

    one_output(as_json, as_latex)

    from ..charting.presentation import inches
    from ..charting.stored import names, plot_stored
    from ..results.result import make_folder

    rule = precise(precision, None, max_seeds, column=y)
    if workers is not None and rule is None:
        raise typer.BadParameter("--workers do the runs that --precision adds; give both")
    found = plot_stored(
        folder,
        x,
        y,
        by=by,
        facet=facet,
        statistic="median" if median else "mean",
        table=table,
        where=settings_of(where, "--where"),
        log=log,
        bound=bound,
        sweep=sweep,
        style=style,
        seeds=rule,
        workers=workers,
        progress=not as_json,
    ).presented(
        title=title,
        x_label=x_label,
        y_label=y_label,
        labels=dict(split(text, "--label", "udp=plain UDP") for text in label),
        order=names(order),
        font=font,
        font_size=font_size,
        size=inches(size) if size else None,
    )
    for path in out:
        make_folder(path.parent)
        check_file(path, "--out", folder)
    paths = out or [Path(f"{short(found.chart.y)}-over-{short(found.chart.x)}.svg")]
    found.save(*paths)
    if as_latex:
        sys.stdout.write(found.to_latex())
    elif as_json:
        print_json({**found.chart.to_dict(), "files": [str(path) for path in paths]})
    else:
        _print(found, paths)


def _print(found: Plot, paths: list[Path]) -> None:
    """Print the numbers that are drawn."""
    from ..charting.drawing import readable

    print_table(*readable(found.chart))
    say(f"{found.chart.title}; low to high: 95 % confidence interval over the runs")
    say(f"written: {', '.join(map(str, paths))}")
