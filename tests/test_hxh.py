"""HxH's claims, in worlds where they hold and where they do not, and its measures by hand."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

from multihop import Result, Scenario, reproduce, run
from multihop.papers import hxh
from multihop.papers.hxh import channel, sensitivity, setup
from multihop.papers.hxh.fig4_15.figure import EDGE, INNER
from multihop.papers.hxh.table4_1.figure import PAPER as RATES
from multihop.papers.hxh.table4_2.figure import FLOWS, TOTALS
from multihop.papers.hxh.table4_3.figure import PAPER as GRID
from multihop.papers.hxh.table4_4.figure import PAPER as RANDOM
from multihop.papers.hxh.windows import Windows, of_series, windows
from multihop.papers.spec import Claim, Data, Effort, Efforts, Panel, Study, StudyData
from multihop.stats import Values
from tests.worlds import claims, verdict

CLAIMS = claims(hxh.FIGURES)
PANELS = [panel for figure in hxh.FIGURES for panel in figure.panels]
SECONDS = 60
STEPS = SECONDS * 10
TIME = np.arange(STEPS) / 10


# ---- worlds --------------------------------------------------------------------------------------


def steady(rate: float) -> Values:
    return np.full(STEPS, rate)


def swinging(rate: float, part: float) -> Values:
    """Swing by a part of the rate, with a period of four seconds."""
    return rate * (1 + part * np.sign(np.sin(np.pi * TIME / 2 + 0.1)))


def active(rate: Values, start: float, end: float) -> Values:
    return np.where((start <= TIME) & (end > TIME), rate, 0.0)


def drifting(alone: float, together: float, swing: float, lasts: float) -> list[Values]:
    """Let two flows meet, swing for so many seconds, and part again."""
    met = (TIME >= setup.MEET_S) & (TIME < setup.PART_S)
    swings = met & (setup.MEET_S + lasts > TIME)
    wave = swing * np.sign(np.sin(np.pi * TIME / 2))
    return [
        alone * np.where(met, together, 1.0) * (1 + sign * np.where(swings, wave, 0.0))
        for sign in (1, -1)
    ]


def staggered(rate: float, shares: tuple[float, float, float], swing: float = 0.0) -> list[Values]:
    """Let three flows share a rate, each for thirty seconds; shares beside one another."""
    spans = [(10 * flow, 10 * flow + 30) for flow in range(3)]
    parts = [active(steady(share), *span) for share, span in zip(shares, spans, strict=True)]
    total = np.maximum(sum(parts), 1e-9)
    return [swinging(rate, swing) * part / total for part in parts]


def dumbbell(variant: str, as_the_paper: bool) -> list[Values]:
    paper = variant in FLOWS
    late = (
        [float(number) for number in FLOWS[variant].split()]
        if paper
        else list(float(TOTALS[variant]) * np.array([0.4, 0.2, 0.2, 0.2]))
    )
    if not as_the_paper:
        late = [0.9, 0.01, 0.01, 0.01] if variant == setup.HXH else [2.5, 2.6, 2.5, 2.6]
    swing = {setup.HXH: 0.1, setup.ATP: 0.5}.get(variant, 0.9)
    if not as_the_paper:
        swing = 0.9 if variant == setup.HXH else 0.0
    early = 2 * sum(late)
    flows = [np.where(TIME >= 30, swinging(1e6 * 8 * share / 30, swing), 0.0) for share in late]
    flows[0] = np.where(TIME < 30, early * 1e6 * 8 / 30, flows[0])
    return flows


def lattice(variant: str, x: float, as_the_paper: bool) -> list[Values]:
    early = float(dumbbell(variant, as_the_paper)[0][0])
    loses = {setup.HXH: 0.082, setup.ATP: 0.02}.get(variant, 0.5)
    if not as_the_paper:
        early, loses = 3 * early, 0.7 if variant in (setup.HXH, setup.ATP) else 0.01
    return [steady(early * (1 - loses * x / 60))]


def grid(variant: str, as_the_paper: bool) -> list[Values]:
    weights = np.array([{**dict.fromkeys(EDGE, 3.0), **dict.fromkeys(INNER, 1.0)}.get(flow, 2.0)
                        for flow in range(12)])  # fmt: skip
    total = float(GRID[variant])
    if not as_the_paper:
        weights, total = 1 / weights, 40 - total
    if (variant == setup.HXH) != as_the_paper:
        weights[::2] *= 1.5
    return [steady(8e6 * total * weight / weights.sum() / SECONDS) for weight in weights]


def random(variant: str, seed: int, as_the_paper: bool) -> list[Values]:
    rate = 1.4e6 if variant in setup.TCPS else float(RANDOM[variant]) * 1e6
    if not as_the_paper:
        rate = {setup.HXH: 1e6, setup.ATP: 4e6, setup.TAHOE: 2e6, setup.SACK: 2.5e6}.get(
            variant, 3e6
        )
    # The deviation is so small that two scenarios tell.
    return [steady((rate + (-1) ** seed) / 5)] * 5


def rates(study: str, variant: str, x: float, seed: int, as_the_paper: bool) -> list[Values]:
    """Return the throughput of every flow in bit/s, every 100 ms."""
    if study == setup.CONTROL.name:
        return staggered(5.6e6, (1, 1, 1)) if as_the_paper else staggered(9e6, (5, 1, 2), swing=0.3)
    if study == setup.FIVE_NODES.name:
        return (
            staggered(1.2e6, (1, 1, 1), swing=0.05) if as_the_paper else staggered(12e6, (5, 1, 2))
        )
    if study == setup.CEILING.name:
        return [steady(5.7e6 if as_the_paper else 9e6)]
    if study == setup.ATP_ALONE.name:
        return [swinging(0.6e6, 0.8 if as_the_paper else 0.0)]
    if study == setup.TEN_HOPS.name:
        smooth = variant in (setup.RATE, setup.VEGAS)
        if smooth == as_the_paper:
            return [swinging(1e6, 0.1)]
        return [swinging(0.5e6, 0.5)]
    if study == setup.ACKNOWLEDGED.name:
        alone = 1e6 * float(RATES[variant].split()[setup.RATES.index(x)])
        if as_the_paper:
            return drifting(alone, 0.5, 0.3, 2)
        return drifting(1e6 * (3 - x / 54), 0.9, 0.6, 27)
    if study == setup.END_TO_END.name:
        if not as_the_paper:
            return drifting(3.3e6, 0.5, 0.1 if variant == setup.NEWRENO else 0.3, 0.5)
        return drifting(3.3e6, 0.5, 0.6, 5 if variant == setup.VEGAS else 20)
    if study == setup.SHARED.name:
        return dumbbell(variant, as_the_paper)
    if study == setup.MOBILE.name:
        return lattice(variant, x, as_the_paper)
    if study == setup.PLANNED.name:
        return grid(variant, as_the_paper)
    if study == setup.SCENARIOS.name:
        return random(variant, seed, as_the_paper)
    return [steady(1e6)]


def measured(study: Study, as_the_paper: bool) -> StudyData:
    """Make what a study measured with `--quick` and two seeds."""
    runs, flows, series = [], [], []
    for variant in study.variants:
        for x in study.quick_values:
            for seed in (1, 2):
                label = {"study": study.name, "variant": variant, "x": float(x), "seed": seed}
                found = rates(study.name, variant, x, seed, as_the_paper)
                means = [float(rate.mean()) for rate in found]
                runs.append({**label, "goodput_bit_s": sum(means), "duration_s": float(SECONDS),
                             "warmup_s": 0.0})  # fmt: skip
                for flow, rate in enumerate(found):
                    whole = {"run_offered": 100, "run_delivered": 100 if as_the_paper else 90,
                             "run_inside": 0 if as_the_paper else 3,
                             "segment_retransmissions": 5,
                             "lost_route_broken": 0 if as_the_paper else 7}  # fmt: skip
                    own = {"delivered": means[flow], "goodput_bit_s": means[flow]}
                    flows.append({**label, "flow": flow, **own, **whole})
                    if study.tables:
                        series += [
                            {**label, "flow": flow, "time_s": time, "delivered_bytes": value / 80}
                            for time, value in zip(TIME, rate, strict=True)
                        ]
    others = {"series": pl.DataFrame(series)} if series else {}
    return StudyData(study, pl.DataFrame(runs), pl.DataFrame(flows), others)


def event(time: float, node: int, kind: str, frame: str, **values: object) -> dict[str, object]:
    row = {"time_s": time, "node": node, "event": kind, "frame": frame, "peer": -1, "packet": -1}
    return {**row, "duration_s": 0.0, **values}


def sent(
    time: float, node: int, peer: int, frame: str, packet: int = -1
) -> list[dict[str, object]]:
    """Let a node send a frame to another, which receives it."""
    return [
        event(time, node, "transmit_start", frame, peer=peer, packet=packet),
        event(time + 0.001, peer, "receive", frame, peer=node, packet=packet),
    ]


def recovery(as_the_paper: bool) -> pl.DataFrame:
    """Let packet 1 get lost with node 2: node 4 sees the gap, and sends a NACK; or node 5 does."""
    rows = [*sent(0.1, 2, 4, "data", 0), *sent(0.2, 4, 5, "data", 0)]
    for packet in range(2, 200):
        rows += [*sent(packet / 10 + 0.1, 3, 4, "data", packet)]
        if packet == 2 and as_the_paper:
            rows += [
                *sent(0.31, 4, 3, "nack"),
                *sent(0.32, 3, 1, "nack"),
                *sent(0.33, 1, 0, "nack"),
            ]
    if not as_the_paper:
        for time in range(10):
            rows += sent(30 + time, 5, 4, "nack")
    return pl.DataFrame(rows)


def exchanges(size: int, rate: float, as_the_paper: bool) -> pl.DataFrame:
    """Let data and acknowledgments take turns, each with the time of equation 1.1."""
    rows, time = [], 0.0
    for _ in range(10):
        for frame, length in (("data", size), ("transport_ack", 40)):
            took = channel.RESERVATION_S + 8 * length / (rate * 1e6)
            if frame == "data" and not as_the_paper:
                took /= 50
            rows += [
                event(time, 0, "transmit_start", "rts", duration_s=1e-4),
                event(time + 2e-4, 0, "transmit_start", frame, duration_s=1e-4),
                event(time + took - 1e-5, 1, "transmit_start", "link_ack", duration_s=1e-5),
            ]
            time += 2 * took
    return pl.DataFrame(rows)


def world(as_the_paper: bool) -> Data:
    studies = {study.name: study for panel in PANELS for study in panel.studies}
    traces: Mapping[str, pl.DataFrame] = {
        **{trace.name: recovery(as_the_paper) for trace in setup.NACKS},
        **{
            trace.name: exchanges(size, rate, as_the_paper)
            for (size, rate), trace in setup.ACK_SHARES.items()
        },
        setup.NACKS_CHAIN.name: pl.DataFrame(
            sent(1, 0, 1, "data", 0) if as_the_paper else sent(1, 1, 0, "nack")
        ),
    }
    return Data(
        {name: measured(study, as_the_paper) for name, study in studies.items()},
        {name: Result({"events": events}) for name, events in traces.items()},
    )


@pytest.fixture(scope="module")
def good() -> Data:
    return world(as_the_paper=True)


@pytest.fixture(scope="module")
def bad() -> Data:
    return world(as_the_paper=False)


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_holds_where_all_is_as_the_thesis_says(
    panel: Panel, claim: Claim, good: Data
) -> None:
    holds, text = verdict(claim, good)
    assert holds, text


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_fails_where_nothing_is(panel: Panel, claim: Claim, bad: Data) -> None:
    holds, text = verdict(claim, bad)
    assert not holds, text


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.id)
def test_every_panel_can_be_drawn(panel: Panel, good: Data) -> None:
    axes = Figure().add_subplot()
    panel.draw(axes, good)
    assert axes.get_ylabel()


# ---- measures ------------------------------------------------------------------------------------


def curve(*flows: list[float]) -> Windows:
    return Windows(np.arange(1, 1 + len(flows[0]) / 10, 0.1)[: len(flows[0])], np.array([flows]))


def test_a_window_is_the_second_before_it() -> None:
    series = pl.DataFrame(
        {"time_s": [0.0, 0.5, 1.5], "flow": [0, 0, 1], "delivered_bytes": [125, 125, 250]}
    )
    found = of_series(series, 2, 2.0)
    assert found.times == pytest.approx(np.arange(1, 2.05, 0.1))
    assert found.rates[0, 0] == pytest.approx([2000] + [1000] * 5 + [0] * 5)
    assert found.rates[0, 1] == pytest.approx([0] * 6 + [2000] * 5)
    inside = found.between(0.5, 1.7)
    assert inside.times == pytest.approx([1.5, 1.6, 1.7])


def test_a_study_keeps_seeds_and_flows_apart() -> None:
    runs = pl.DataFrame({"study": "s", "variant": "v", "x": 1.0, "seed": [1, 2],
                         "warmup_s": 0.1, "duration_s": 0.2})  # fmt: skip
    flows = pl.DataFrame({"study": "s", "variant": "v", "x": 1.0, "seed": [1, 1, 2, 2],
                          "flow": [0, 1, 0, 1]})  # fmt: skip
    series = pl.DataFrame({"study": "s", "variant": "v", "x": 1.0, "seed": [2, 1],
                           "flow": [1, 0], "time_s": [0.2, 0.1],
                           "delivered_bytes": [7, 5]})  # fmt: skip
    study = Study("s", setup.CHAIN, {}, {}, (1.0,), (1.0,), setup.CONTROL_EFFORTS)
    found = StudyData(study, runs, flows, {"series": series}).delivered_bytes("v", 1.0, 0.1)
    assert found.tolist() == [[[0, 5, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 7]]]


def test_settling_is_the_first_whole_second_near_the_fair_share() -> None:
    off, near = [2.0] * 15, [1.0] * 30
    flow = curve(off + near, [0.0] * 15 + near)
    assert flow.settling(0.1) == pytest.approx(1.5)
    assert curve(near).settling(0.1) == 0
    assert curve([2.0, 0.0] * 20).settling(0.1) == pytest.approx(4)


def test_dips_are_over_the_fair_share() -> None:
    flow = curve([1.0] * 18 + [0.2, 0.2], [1.0] * 18 + [1.8, 1.8])
    assert flow.lowest() == pytest.approx(0.2)
    assert flow.longest_below(0.5) == pytest.approx(0.2)
    assert flow.variation() > 0


def test_a_line_through_the_rates_gives_time_and_bytes() -> None:
    rates = np.array([1e6, 11e6, 54e6])
    throughputs = 8 * 1024 / (1293e-6 + 8 * 1118 / rates)
    assert channel.line(rates, throughputs, 1024) == pytest.approx((1293e-6, 1118))


def test_the_papers_numbers_lie_on_those_lines() -> None:
    texts = zip(RATES.values(), ((1293e-6, 1118), (2288e-6, 1220)), strict=True)
    for text, (constant, size) in texts:
        throughputs = 1e6 * np.array([float(number) for number in text.split()])
        found = channel.line(np.array(setup.RATES) * 1e6, throughputs, setup.PAYLOAD)
        assert found == pytest.approx((constant, size), rel=0.01)


def test_equation_1_2_is_half_for_equal_sizes() -> None:
    assert channel.overhead(54e6, 40) == pytest.approx(0.5)
    assert channel.overhead(1e6, 1024) == pytest.approx(1112 / (1112 + 8984))


def test_an_overheard_packet_is_no_gap() -> None:
    rows = [*sent(1, 1, 2, "data", 0), *sent(2, 1, 2, "data", 1)]
    overheard = [event(1.001, 3, "receive", "data", peer=1, packet=0),
                 event(5.001, 3, "receive", "data", peer=1, packet=9)]  # fmt: skip
    nack = sent(6, 3, 1, "nack")
    found = channel.recoveries(pl.DataFrame([*rows, *overheard, *nack]), (0, 1, 2, 3))
    assert found == [(6, 3, -1)]


def test_a_nack_that_is_passed_on_has_one_origin() -> None:
    found = channel.recoveries(recovery(as_the_paper=True), setup.TRADE_PATH)
    assert found == [(0.31, 4, 4)]
    assert channel.nacks(recovery(as_the_paper=True)) == (3, 203)


# ---- real runs -----------------------------------------------------------------------------------


def test_flows_are_in_range_only_between_meeting_and_parting() -> None:
    scenario = setup.VARIANTS[setup.NEWRENO].apply(Scenario.from_file(setup.DRIFT))
    found = of_series(run(scenario).series, 2, SECONDS)
    alone = found.between(5, setup.MEET_S).mean()
    assert found.between(setup.MEET_S + 1, setup.PART_S - 1).mean() < 0.6 * alone
    assert found.between(setup.PART_S + 1, SECONDS).mean() > 0.9 * alone


def test_relays_trade_places_at_every_turn() -> None:
    moves = setup.trades(10.0)["move"]
    assert [move["at"] for move in moves[::2]] == ["10 s", "20 s", "30 s", "40 s"]
    assert [(m["node"], m["y"]) for m in moves[:4]] == [
        ("m1", "300 m"), ("m2", "0 m"), ("m1", "0 m"), ("m2", "300 m")]  # fmt: skip


def test_the_share_of_acknowledgments_in_a_real_run_is_that_of_all_bytes() -> None:
    scenario = setup.ACK_SHARES[1024, 54.0].scenario()
    found = channel.share(run(scenario, trace=True).events)
    # With the preamble of 120 us and the 34 B of the MAC's header, on data and acknowledgment.
    acknowledgment, data = (912e-6 + 8 * (34 + size) / 54e6 for size in (40, 40 + 1024))
    assert found == pytest.approx(acknowledgment / (acknowledgment + data), abs=0.01)


def test_a_short_real_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = Effort(quick=True, seeds=1, warmup="0 s", duration="45 s")
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: short)
    ids = ["hxh/fig1.3", "hxh/fig4.1", "hxh/table4.1", "hxh/fig5.1"]
    done = reproduce(ids, quick=True, out=tmp_path, progress=False)
    assert done.runs == 4 + 2 + 6 + 4
    assert {v.id.rstrip("ab") for v in done.verdicts} == set(ids)
    assert pl.read_parquet(tmp_path / "series.parquet")["delivered_bytes"].sum() > 0


def test_every_setting_of_the_sensitivity_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def first(scenarios: list[Scenario], **_: object) -> list[Result]:
        asked.append(len(scenarios))
        small = [scenario for scenario in scenarios if "2 km" not in scenario.json]
        return [run(one) for one in small[:1]] * len(scenarios) or [TINY] * len(scenarios)

    monkeypatch.setattr(sensitivity, "run_many", first)
    rows = {name: [made.row_count for made in tables(seeds=1)]
            for name, tables in sensitivity.TABLES.items()}  # fmt: skip
    assert rows == {"random": [5, 3, 12], "dumbbell": [7, 3, 12], "lattice": [10],
                    "grid": [8], "drift": [4]}  # fmt: skip
    assert sum(asked) == 5 * 6 + 3 + 12 + 7 * 6 + 3 + 12 + 10 * 6 + 8 * 6 + 4 * 4


TINY = Result({"runs": pl.DataFrame({"goodput_bit_s": [1.0]})})


def test_windows_of_a_study_are_those_of_its_runs(good: Data) -> None:
    found = windows(good.studies[setup.SHARED.name], setup.HXH, 0)
    assert found.rates.shape == (2, 4, STEPS - 9)
