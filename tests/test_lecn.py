"""LECN's claims, in worlds where they hold and where they do not, and its measures by hand."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

from multihop import Result, Scenario, reproduce, run
from multihop.papers import lecn
from multihop.papers.lecn import sensitivity, setup
from multihop.papers.lecn.fig5.figure import PAPER as LEVELS
from multihop.papers.lecn.potential import Steps, correlations, drops, potential, shares, stays
from multihop.papers.lecn.relations import best, optimum
from multihop.papers.lecn.table1.figure import MOST, WINDOWS
from multihop.papers.lecn.table2.figure import MOST as MOST_BESIDE_UDP
from multihop.papers.lecn.table2.figure import WINDOWS as WINDOWS_BESIDE_UDP
from multihop.papers.lecn.table3.figure import PAPER as LATTICE
from multihop.papers.spec import Claim, Data, Effort, Efforts, Panel, StudyData
from tests.worlds import Rule, claims, measured, verdict

CLAIMS = claims(lecn.FIGURES)


# ---- worlds --------------------------------------------------------------------------------------


def rates(throughput: float, size: float, window: float = 1.0) -> Rule:
    """Give every run a throughput in kbit/s, headers counted, and a mean window."""
    goodput = 1e3 * throughput / (1 + 40 / size)
    return lambda *_: (
        {"goodput_bit_s": goodput},
        [{"goodput_bit_s": goodput, "window_mean": window, "delivered": 1}],
    )


def over_windows(name: str, as_the_paper: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        size = setup.SIZES[0]
        if name == setup.CONGESTED.name:
            at, most = WINDOWS_BESIDE_UDP[variant], MOST_BESIDE_UDP[variant]
        else:
            index = next(i for i, s in enumerate(setup.BY_SIZE) if s.name == name)
            size = setup.SIZES[index]
            at, most = WINDOWS[variant].split()[index], MOST[variant].split()[index]
        if not as_the_paper:
            at, most = "16", "900"
        top = float(most) * (1 - 0.02 * abs(x - int(at)))
        return rates(top, size)(variant, x, seed)

    return row


def over_lengths(as_the_paper: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        moderate, thinned = 5 <= x <= 10, "thinning" in variant
        factor, window = 1.0, 50.0
        if "lecn" in variant:
            factor, window = (2.0 if thinned else 1.5), 5.0
        elif variant == setup.THINNING:
            factor = 1.55 if moderate else 1.7
        elif variant == setup.VEGAS:
            factor = 1.6
        if x <= 4:
            factor = (1.31 if "lecn" in variant else 1.3) if thinned else 1.0
        if not as_the_paper:
            factor = {setup.TCP: 1.0, setup.THINNING: 0.4, setup.VEGAS: 0.5}.get(variant, 0.2)
            window = 10.0
        return rates(factor * 800 / x, 512, window)(variant, x, seed)

    return row


def searched(thinned: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        top = (2.1 if thinned else 1.55) * 800 / x
        return rates(top * (1 - 0.01 * abs(int(variant) - 3)), 512)(variant, x, seed)

    return row


def lattice(as_the_paper: bool) -> Rule:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        text = LATTICE[variant].split()[setup.SIZES.index(int(x))]
        other = {setup.TCP: 50, setup.LECN_60: 40, setup.VEGAS: 80}.get(variant, 30)
        return rates(float(text) if as_the_paper else other, x)(variant, x, seed)

    return row


def levels(as_the_paper: bool) -> pl.DataFrame:
    """Give every variant of figure 5 times at the levels of the maximum potential."""
    rows = []
    for variant in setup.POTENTIAL.variants:
        side = "lecn" in variant
        percent = {level: float(text.split()[side]) for level, text in LEVELS.items()}
        if variant == setup.THINNING:
            percent = {0: 10.0, 2: 30.0, 3: 40.0, 5: 3.0}
        elif variant == setup.THINNING_LECN_60:
            percent = {0: 5.0, 2: 33.0, 3: 44.0, 5: 1.0}
        if not as_the_paper:
            lecn_thinned = 60.0 if variant == setup.THINNING_LECN_60 else 1.0
            percent = {0: 9.0 if side else 2.0, 2: 3.0, 3: 3.0, 5: lecn_thinned}
        rest = 100 - sum(percent.values())
        rows += [
            {"study": setup.POTENTIAL.name, "variant": variant, "seed": seed, "node": node,
             "congestion_potential": level, "time_s": 1.2 * time}
            for seed in (1, 2)
            for node in (-1, 0)
            for level, time in {**percent, 1: rest / 2, 4: rest / 2}.items()
        ]  # fmt: skip
    return pl.DataFrame(rows)


def event(time: float, node: int, kind: str, **values: object) -> dict[str, object]:
    row = {"time_s": time, "node": node, "event": kind, "flow": -1, "packet": -1}
    return {**row, "duration_s": 0.0, "value": float("nan"), "cause": "", **values}


def trace(as_the_paper: bool) -> pl.DataFrame:
    """Let the potential of nodes 2 and 3 swing from 1 to 4 and back, and node 5's stand beside."""
    rows = []
    for step in range(200):
        time, high = step * 0.1, step % 2 == 1
        own = 4.0 if high else 1.0
        nodes = {2: own, 3: own} if as_the_paper else {2: own / 4, 3: own / 4, 5: 5.0 - own}
        rows += [
            event(time, node, "congestion_potential", value=value) for node, value in nodes.items()
        ]
        stay, retries = (0.08, 1.0) if high else (0.02, 2.0)
        if not as_the_paper:
            stay, retries = 0.1 - stay, 3.0 - retries
        lost = step in (61, 151)
        rows.append(
            event(time + 0.09, 2, "service_end", flow=0, packet=step, duration_s=stay,
                  value=retries, cause="failed" if lost else "acknowledged")
        )  # fmt: skip
    return pl.DataFrame(rows)


def world(as_the_paper: bool) -> Data:
    rules = {
        **{s.name: over_windows(s.name, as_the_paper) for s in (*setup.BY_SIZE, setup.CONGESTED)},
        setup.LENGTHS.name: over_lengths(as_the_paper),
        setup.SEARCH.name: searched(thinned=False),
        setup.SEARCH_THINNING.name: searched(thinned=True),
        setup.LATTICE.name: lattice(as_the_paper),
        setup.POTENTIAL.name: rates(100, 512),
    }
    known = {study.name: study for panel in panels() for study in panel.studies}
    return Data(
        {
            name: measured(study, rules[name], {"congestion": levels(as_the_paper)})
            for name, study in known.items()
        },
        {setup.TRACE.name: Result({"events": trace(as_the_paper)})},
    )


def panels() -> list[Panel]:
    return [panel for figure in lecn.FIGURES for panel in figure.panels]


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_holds_where_all_is_as_the_paper_says(panel: Panel, claim: Claim) -> None:
    holds, text = verdict(claim, world(as_the_paper=True))
    assert holds, text


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_fails_where_nothing_is(panel: Panel, claim: Claim) -> None:
    holds, text = verdict(claim, world(as_the_paper=False))
    assert not holds, text


@pytest.mark.parametrize("panel", panels(), ids=lambda panel: panel.id)
def test_every_panel_can_be_drawn(panel: Panel) -> None:
    axes = Figure().add_subplot()
    panel.draw(axes, world(as_the_paper=True))
    assert axes.get_ylabel()


# ---- measures ------------------------------------------------------------------------------------


def test_steps_hold_their_value_until_the_next() -> None:
    steps = Steps(np.array([1.0, 2.0, 4.0]), np.array([2.0, 6.0, 0.0]))
    assert steps.before(np.array([0.5, 1.0, 1.5, 2.0, 2.1, 9.0])).tolist() == [0, 0, 2, 2, 6, 0]
    means = steps.means(np.array([0.0, 1.5, 3.0]), np.array([1.0, 2.5, 5.0]))
    assert means.tolist() == [0.0, 4.0, 3.0]
    assert steps.mean() == pytest.approx((2 + 12) / 3)


def test_the_maximum_is_over_the_nodes_at_every_time() -> None:
    rows = [(1.0, 0, 2.0), (2.0, 1, 3.0), (3.0, 1, 1.0), (3.0, 0, 4.0), (3.0, 0, 0.0)]
    events = pl.DataFrame(
        [event(time, node, "congestion_potential", value=value) for time, node, value in rows]
    )
    maximum = potential(events)
    assert (maximum.times.tolist(), maximum.values.tolist()) == ([1, 2, 3], [2, 3, 1])
    assert potential(events, 0).values.tolist() == [2, 0]


def test_only_what_the_mac_gives_up_of_a_flow_is_a_drop() -> None:
    events = pl.DataFrame(
        [
            event(1.0, 3, "service_end", flow=0, packet=7, cause="failed"),
            event(2.0, 3, "service_end", flow=0, cause="failed"),
            event(3.0, 3, "service_end", cause="failed"),
            event(4.0, 3, "service_end", flow=0, packet=8, cause="acknowledged"),
        ]
    )
    data, acknowledgments = drops(events)
    assert (data.tolist(), acknowledgments.tolist()) == ([1.0], [2.0])
    assert stays(events, 3).end.tolist() == [1.0, 2.0, 4.0]


def test_correlations_are_with_the_potential_during_the_stay() -> None:
    staying, retries = correlations(trace(as_the_paper=True), 2)
    assert staying == pytest.approx(1, abs=0.1)
    assert retries == pytest.approx(-1, abs=0.1)


def test_shares_are_of_the_time_of_all_seeds() -> None:
    found = shares(world(as_the_paper=True).studies[setup.POTENTIAL.name], setup.TCP)
    assert found.sum() == pytest.approx(100)
    assert found[0] == pytest.approx(33.85)


def test_the_optimum_is_the_best_window_of_each_length() -> None:
    data = world(as_the_paper=True).studies[setup.SEARCH.name]
    top, windows, names = optimum(data)
    assert set(names) == {"3"}
    assert windows.tolist() == [3] * len(data.x)
    assert top == pytest.approx(1.55 * 800e3 / data.x)


def test_throughput_counts_headers_and_only_tcp_beside_udp() -> None:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        own = 100e3 if x == 4 else 90e3
        flows = [{"goodput_bit_s": own}, {"goodput_bit_s": 500e3 - 100 * x}]
        return {"goodput_bit_s": own + 500e3}, flows

    data: StudyData = measured(setup.CONGESTED, row)
    assert best(data, setup.TCP) == (4, pytest.approx(100e3 * 552 / 512))


# ---- real runs -----------------------------------------------------------------------------------


def test_the_flow_of_udp_comes_behind_that_of_tcp() -> None:
    base = Scenario.from_file(setup.CHAIN).with_(**setup.CONGESTED.settings, duration="3 s")
    flows = run(base).flows
    assert flows["name"].to_list() == ["n0->n8", "n7->n6"]
    assert flows["window_mean"].is_nan().to_list() == [False, True]
    assert flows["goodput_bit_s"][1] > 100e3


def test_a_short_real_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = Effort(quick=True, seeds=1, warmup="5 s", duration="3 s")
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: short)
    done = reproduce(["lecn/fig5", "lecn/table2"], quick=True, out=tmp_path, progress=False)
    assert done.runs == 4 + 2 * 2 * len(setup.QUICK_WINDOWS)
    assert {v.id for v in done.verdicts} == {"lecn/fig5a", "lecn/fig5b", "lecn/table2"}
    assert pl.read_parquet(tmp_path / "congestion.parquet")["time_s"].sum() > 0


def test_a_traced_run_shows_all_that_figures_2_to_4_need() -> None:
    base = Scenario.from_dict(setup.TRACE.scenario().to_dict()).with_(duration="3 s")
    events = run(base, trace=True).events
    staying, retries = correlations(events, 2)
    assert -1 <= retries <= 1
    assert -1 <= staying <= 1
    assert 0 < potential(events, 2).mean() <= potential(events).mean() <= 5


def test_every_setting_of_the_sensitivity_can_be_run() -> None:
    base = Scenario.from_file(setup.CHAIN).with_(duration="1 s")
    table = sensitivity.open_parameters(base, seeds=1)
    assert table.row_count == len(sensitivity.OPEN) * len(sensitivity.SHOWN)
