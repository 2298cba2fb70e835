"""HxH's claims, in worlds where they hold and where they do not, and short real runs of them."""

from pathlib import Path

import polars as pl
import pytest
from matplotlib.figure import Figure

from multihop import Result, Scenario, reproduce, run
from multihop.reproducing.spec import Claim, Data, Effort, Efforts, Panel
from multihop_papers import hxh
from multihop_papers.hxh import channel, sensitivity, setup
from multihop_papers.hxh.windows import of_series, windows
from tests.hxh_worlds import PANELS, SECONDS, STEPS, World, make
from tests.worlds import claims, verdict

CLAIMS = claims(hxh.FIGURES)


@pytest.fixture(scope="module")
def good() -> Data:
    return make(World.PAPER)


@pytest.fixture(scope="module", params=[World.OPPOSITE, World.NULL], ids=lambda world: world.name)
def other(request: pytest.FixtureRequest) -> Data:
    return make(request.param)


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_every_claim_holds_where_all_is_as_the_thesis_says(
    panel: Panel, claim: Claim, good: Data
) -> None:
    holds, text = verdict(claim, good)
    assert holds, text


@pytest.mark.parametrize(("panel", "claim"), CLAIMS)
def test_no_claim_holds_in_the_opposite_world_nor_where_nothing_is_related(
    panel: Panel, claim: Claim, other: Data
) -> None:
    holds, text = verdict(claim, other)
    assert not holds, text


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.id)
def test_every_panel_can_be_drawn(panel: Panel, good: Data) -> None:
    axes = Figure().add_subplot()
    panel.draw(axes, good)
    assert axes.get_ylabel()


def test_every_row_of_the_checklist_has_its_panels() -> None:
    panels = {panel.id for panel in PANELS}
    claimed = {panel.id for panel in PANELS if panel.claims}
    named = {name for row in hxh.ROWS for name in row.ids}
    assert len(hxh.ROWS) == 15
    assert named <= panels
    assert claimed <= named, "a claim counts in no row"


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
    found = channel.share(run(scenario, events=True).events)
    # With the preamble of 120 us and the 34 B of the MAC's header, on data and acknowledgment.
    acknowledgment, data = (912e-6 + 8 * (34 + size) / 54e6 for size in (40, 40 + 1024))
    assert found == pytest.approx(acknowledgment / (acknowledgment + data), abs=0.01)


@pytest.mark.long
def test_a_short_real_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = Effort(quick=True, seeds=1, warmup="0 s", duration="45 s")
    monkeypatch.setattr(Efforts, "choose", lambda *_, **__: short)
    ids = ["hxh/fig1.3", "hxh/fig4.1", "hxh/table4.1", "hxh/fig5.1"]
    done = reproduce(ids, quick=True, out=tmp_path, progress=False)
    assert done.runs == 4 + (2 + 1) + 6 + 4
    assert {v.id.rstrip("ab") for v in done.verdicts} == set(ids)
    assert pl.read_parquet(tmp_path / "series.parquet")["delivered_bytes"].sum() > 0


@pytest.mark.long
def test_every_setting_of_the_sensitivity_can_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def first(scenarios: list[Scenario], **_: object) -> list[Result]:
        asked.append(len(scenarios))
        small = [scenario for scenario in scenarios if "2 km" not in scenario.json]
        return [run(one) for one in small[:1]] * len(scenarios) or [TINY] * len(scenarios)

    monkeypatch.setattr(sensitivity, "run_many", first)
    rows = {name: [made.row_count for made in tables(seeds=1)]
            for name, tables in sensitivity.TABLES.items()}  # fmt: skip
    assert rows == {"random": [5, 5, 12], "dumbbell": [8, 5, 12], "lattice": [10],
                    "grid": [9], "drift": [4]}  # fmt: skip
    assert sum(asked) == 5 * 6 + 5 + 12 + 8 * 6 + 5 + 12 + 10 * 6 + 9 * 6 + 4 * 4


TINY = Result({"runs": pl.DataFrame({"goodput_bit_s": [1.0]})})


def test_windows_of_a_study_are_those_of_its_runs(good: Data) -> None:
    found = windows(good.studies[setup.SHARED.name], setup.HXH, 0)
    assert found.rates.shape == (2, 4, STEPS - 9)
