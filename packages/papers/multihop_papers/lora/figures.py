"""A figure for each question: a panel for each place and capture ratio, and the verdicts there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from matplotlib.axes import Axes

from multihop.reporting.report import Table
from multihop.reproducing.preregistered import judge
from multihop.reproducing.spec import Claim, Data, FigureSpec, Panel, Study, StudyData

from .measures import MEASURES, SHOWN, SHOWN_DIRECT, direct, far
from .questions import QUESTIONS, Claimed, Question
from .setups import studies
from .unicast import QUESTIONS as UNICAST

Share = Callable[[StudyData, str], float]


def panel_id(question: Question, place: str, capture: int) -> str:
    """Return the name of a panel."""
    return f"lora/{question.id}-{place}-{capture}"


def _claim(claimed: Claimed, study: Study) -> Claim:
    own = MEASURES[claimed.measure]

    def measure(data: Data) -> float:
        return own(data.studies[study.name], claimed.new, claimed.old)

    names = (study.variants[name].title for name in (claimed.new, claimed.old))
    judged = judge(measure, claimed.bound, "nothing arrives")
    expected = f"{claimed.measure}, {' over '.join(names)}: {claimed.bound}"
    return Claim(f"{claimed.id}: {claimed.sentence}", expected, judged)


def _draw(study: Study, shown: Mapping[str, Share]) -> Callable[[Axes, Data], None]:
    """Draw shares of each variant."""

    def draw(axes: Axes, data: Data) -> None:
        measured = data.studies[study.name]
        names = measured.variants
        width = 0.8 / len(shown)
        for at, (label, share) in enumerate(shown.items()):
            places = [index + at * width for index in range(len(names))]
            heights = [100 * share(measured, name) for name in names]
            axes.bar(places, heights, width=width, label=label)
        axes.set_xticks(range(len(names)), [study.variants[name].title for name in names])
        axes.tick_params(axis="x", labelrotation=20, labelsize=7)
        axes.set_ylabel("arrive (%)")
        axes.set_ylim(0, 100)

    return draw


def _drawn(question: Question) -> Mapping[str, Share]:
    """Return the shares that are drawn: nodes with texts, direct messages that arrived."""
    if question.id in UNICAST:
        return {"direct": direct}
    has_direct = any(claim.measure.startswith("direct") for claim in question.claims)
    return {"texts, far": far} | ({"direct": direct} if has_direct else {})


def _numbers(
    question: Question, by: Mapping[tuple[str, int], Study]
) -> Callable[[Data], list[Table]]:
    """Return what shows the measures of each variant on each place, as numbers."""
    shown = SHOWN_DIRECT if question.id in UNICAST else SHOWN

    def tables(data: Data) -> list[Table]:
        rows = [
            [place, str(capture), study.variants[name].title]
            + [f"{measure(measured, name):.4g}" for measure in shown.values()]
            for (place, capture), study in by.items()
            if study.name in data.studies
            for measured in (data.studies[study.name],)
            for name in measured.variants
        ]
        return [Table(question.id, ("place", "capture_db", "variant", *shown), rows)]

    return tables


def figure(question: Question) -> FigureSpec:
    """Return the figure of a question that is run."""
    by = studies(question)
    drawn = _drawn(question)
    panels = tuple(
        Panel(
            panel_id(question, place, capture),
            f"{place}, capture {capture} dB",
            _draw(study, drawn),
            tuple(_claim(claimed, study) for claimed in question.claims),
            (study,),
        )
        for (place, capture), study in by.items()
    )
    return FigureSpec(f"lora/{question.id}", question.title, panels, tables=_numbers(question, by))


RUN = tuple(question for question in QUESTIONS if question.claims)
