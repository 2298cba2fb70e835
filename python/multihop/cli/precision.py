"""Options that ask for as many seeds as it takes: for a precise mean, or for verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ..sweeping.seeds import Decided, Until

Precision = Annotated[
    str | None,
    typer.Option(
        metavar="[COLUMN=]SHARE",
        help="Seeds until a mean's 95 % interval is within, as in 2% or overhead=5%.",
    ),
]
UntilDecided = Annotated[
    bool,
    typer.Option("--until-decided", help="Seeds until every verdict is decided."),
]
Margin = Annotated[
    str | None,
    typer.Option(metavar="SHARE", help="Differences that do not matter.  [default: 5%]"),
]
MaxSeeds = Annotated[
    int | None,
    typer.Option(min=2, help="Seeds at most, with --precision or --until-decided.  [default: 160]"),
]


def precise(
    text: str | None, seeds: int | None, most: int | None, *, column: str | None = None
) -> Until | None:
    """Read `--precision`, with the seeds to begin with and those at most; `None` if not given.

    It names a column, or is about `column` or, if there is none, about goodput; names may be short,
    as in charts.
    """
    if text is None:
        if most is not None:
            raise typer.BadParameter(
                "--max-seeds ends what --precision begins; give both, or leave it out"
            )
        return None

    from ..charting.naming import find
    from ..sweeping.seeds import GOODPUT, LEAST, MOST, Until, check, number_columns

    named, _, share = text.rpartition("=")
    of = find(named.strip() or column or GOODPUT, number_columns())
    least = LEAST if seeds is None else seeds
    rule = Until(_share(share, "--precision"), of, 1, least, _most(least, most, MOST))
    check(rule, f"--precision {text}")
    return rule


def decided(margin: str | None, seeds: int | None, most: int | None) -> Decided:
    """Read what belongs to `--until-decided`."""
    from ..sweeping.seeds import LEAST_DECIDED, MARGIN, MOST, Decided, check

    least = LEAST_DECIDED if seeds is None else seeds
    share = MARGIN if margin is None else _share(margin, "--margin")
    rule = Decided(share, 1, least, _most(least, most, MOST))
    check(rule, "--until-decided")
    return rule


def rule_of(
    precision: str | None,
    numbers: tuple[str | None, int | None, int | None],
    *,
    until_decided: bool,
) -> Until | Decided | None:
    """Read the rule that chooses the seeds; `numbers` are margin, seeds to begin with, and most."""
    margin, least, most = numbers
    if until_decided and precision is not None:
        raise typer.BadParameter("--precision and --until-decided both choose the seeds; give one")
    if until_decided:
        return decided(margin, least, most)
    if margin is not None:
        raise typer.BadParameter("--margin is of --until-decided; give both, or leave it out")
    return precise(precision, least, most)


def _share(text: str, option: str) -> float:
    """Read a percentage."""
    from ..sweeping.axes import quantity

    found = quantity(text)
    if found is None or found.unit != "%" or not 0 < found.number < 100:
        raise typer.BadParameter(f"{option} {text}: write a share of the mean, as in 2%")
    return found.number / 100


def _most(least: int, most: int | None, usual: int) -> int:
    """Return the most seeds; as many as there are to begin with, if these are more than usual."""
    return max(least, usual) if most is None else most
