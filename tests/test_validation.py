"""The bars of docs/validation/README.md on fewer points and seeds."""

import re
import shutil
from pathlib import Path

import polars as pl
import pytest

from multihop_validation import bianchi, page, probe_text, probes, probing, store
from multihop_validation.compare import Comparison, Estimate, Verdict, compare, measure
from multihop_validation.curves import curves
from multihop_validation.reference import FILES, Case, Measured, read
from multihop_validation.starts import start_times
from multihop_validation.store import DATA

pytestmark = pytest.mark.engine

SEEDS = 4
# Where ns-2 has more runs than this, their start times matter: compare with the same ones.
MANY = 20

# Topology, hops, packet, rate, propagation, and loads per source.
POINTS = [
    ("chain", 10, 512, "1Mb", "tworay", (150, 200, 400)),
    ("chain", 10, 512, "1Mb", "shadowing", (60, 200)),
    ("chain", 10, 1000, "2Mb", "tworay", (200,)),
    ("chain", 1, 512, "1Mb", "tworay", (2000,)),
    ("chain", 2, 1000, "2Mb", "tworay", (2000,)),
    ("bichain", 4, 512, "1Mb", "tworay", (60, 200)),
    ("bichain", 10, 512, "1Mb", "tworay", (20, 60, 100)),
    ("cross", 10, 512, "1Mb", "tworay", (60, 100)),
    ("bicross", 10, 512, "1Mb", "tworay", (20, 100)),
    ("random", 0, 512, "1Mb", "tworay", (20, 100)),
    ("star", 1, 512, "1Mb", "tworay", (1000,)),
]


@pytest.fixture(scope="module")
def reference() -> dict[Case, Measured]:
    return read(DATA)


def _chosen(case: Case) -> bool:
    about = (case.topology, case.hops, case.packet, case.rate, case.propagation)
    tunnel = case.routing == "TUNNEL" and case.topology != "random"
    return not tunnel and any(about == point[:5] and case.load in point[5] for point in POINTS)


def _first(runs: Measured) -> Measured:
    if len(runs.seeds) <= MANY:
        return runs
    return Measured(runs.seeds[:SEEDS], runs.goodput[:SEEDS], runs.delay[:SEEDS])


def test_a_frame_exchange_takes_what_it_takes_in_ns2() -> None:
    text, agree = probe_text.timing(probes.exchange(DATA))
    assert agree, text


def test_backoff_retries_and_queue_are_those_of_ns2() -> None:
    text, agree = probe_text.backoff(probing.backoff(DATA))
    assert agree, text


def test_the_same_frames_are_captured_as_in_ns2() -> None:
    text, agree = probe_text.capture(probes.captures(DATA))
    assert agree, text


def test_shadowing_decodes_and_senses_what_the_model_says() -> None:
    text, agree = probe_text.reception(probes.reception(probing.DISTANCES_M))
    assert agree, text


@pytest.mark.long
def test_goodput_and_delay_keep_to_their_bars(reference: dict[Case, Measured]) -> None:
    cut = {case: _first(runs) for case, runs in reference.items()}
    chosen = {case: runs for case, runs in cut.items() if _chosen(case)}
    assert len(chosen) == 2 * (sum(len(point[5]) for point in POINTS) + 4)
    ours = measure(chosen, dict.fromkeys(chosen, SEEDS), progress=False)
    # The knee is that of the whole curve, of which only some points are run.
    whole = {case: ours.get(case, Measured([0], [0.0], [0.0])) for case in reference}
    judged = 0
    missed = []
    for curve in curves(cut, whole):
        for row in curve.rows:
            if row.case not in chosen:
                continue
            for kind, comparison in (("goodput", row.goodput), ("delay", row.delay)):
                judged += comparison.verdict is not Verdict.NO_BAR
                if comparison.verdict is Verdict.OUTSIDE:
                    missed.append((kind, row.case, comparison))
    assert judged > 50
    assert not missed, "\n".join(map(str, missed))


def test_a_run_from_the_start_times_of_ns2_has_its_delay(reference: dict[Case, Measured]) -> None:
    case = next(
        case
        for case, runs in reference.items()
        if (case.topology, case.hops, case.load) == ("bichain", 10, 20.0)
        and case.propagation == "tworay"
        and len(runs.seeds) == 60
    )
    ours = measure({case: reference[case]}, {case: 15}, progress=False)[case]
    pairs = list(zip(ours.delay, reference[case].delay, strict=False))
    assert len(pairs) == 15
    assert max(abs(here / there - 1) for here, there in pairs) < 0.015
    assert max(there for _, there in pairs) > 1.1 * min(there for _, there in pairs)


@pytest.mark.long
def test_a_saturated_cell_is_that_of_ns2_and_of_bianchi(reference: dict[Case, Measured]) -> None:
    stars = {case: runs for case, runs in reference.items() if case.topology == "star"}
    assert len(stars) == 10
    ours = measure(stars, dict.fromkeys(stars, 3), progress=False)
    for case, runs in ours.items():
        mean = Estimate.of(runs.goodput).mean
        cell = bianchi.Cell(case.sources, case.packet, case.rts)
        model = cell.goodput(bianchi.STAR_PROPAGATION_US)
        assert mean == pytest.approx(Estimate.of(stars[case].goodput).mean, rel=0.006), case
        assert mean == pytest.approx(model, rel=0.012), case


def test_bianchis_model_without_and_with_collisions() -> None:
    sending, collision = bianchi.Cell(1, 512, rts=True).fixed_point()
    # Alone, a station sends in every 16th slot: (31 + 1) / 2 (eq. 8).
    assert (sending, collision) == (pytest.approx(1 / 16), 0)
    previous = sending
    for stations in (2, 5, 20, 50):
        sending, collision = bianchi.Cell(stations, 512, rts=True).fixed_point()
        assert collision == pytest.approx(1 - (1 - sending) ** (stations - 1))
        assert sending < previous
        previous = sending


def test_start_times_are_those_that_ns2_draws() -> None:
    # ns: set rng [new RNG]; $rng seed 1005; $rng uniform 0 0.5, twice
    assert start_times(5, 2) == pytest.approx([0.16799090181849474, 0.32888414190564497])
    assert start_times(5, 1) == start_times(5, 2)[:1]


def test_the_routes_of_the_random_network_are_those_of_ns2(reference: dict[Case, Measured]) -> None:
    case = next(case for case in reference if case.topology == "random")
    tables = case.scenario(1).to_dict() | {"duration": "2 s", "warmup": "0 s"}
    text = probe_text.routes(case.network()[1], probes.routes_taken(tables))
    assert text.endswith("are the same."), text


def test_as_many_stations_begin_in_a_slot_as_in_ns2() -> None:
    found = probes.slots(DATA)
    assert [case.places for case in found] == ["equally far apart", "two near each other"]
    for case in found:
        assert case.agrees, case


def test_both_ways_to_describe_a_network_are_the_same(reference: dict[Case, Measured]) -> None:
    """The engine's own topologies, and node by node with the start times of ns-2."""
    kinds = {(case.topology, case.hops, case.sources): case for case in reference}
    for case in kinds.values():
        generated = case.scenario(1).to_dict()
        listed = case.scenario(1, start_times(1, case.sources)).to_dict()
        assert len(listed["flow"]) == case.sources, case
        assert all("start" in flow for flow in listed["flow"])
        assert generated["topology"]["kind"] != "explicit" or case.topology == "random"


def test_verdicts() -> None:
    def verdict(ours: float, error: float, bar: float | None) -> Verdict:
        there, here = Estimate(100.0, 1.0, 5), Estimate(ours, error, 20)
        return Comparison(there, here, bar).verdict

    assert verdict(102.9, 0.1, 0.03) is Verdict.INSIDE
    assert verdict(97.1, 0.1, 0.03) is Verdict.INSIDE
    assert verdict(103.1, 0.1, 0.03) is Verdict.OUTSIDE
    assert verdict(103.1, 2.0, 0.03) is Verdict.NOISE
    assert verdict(200.0, 1.0, None) is Verdict.NO_BAR
    assert Estimate.of([1.0, float("nan"), 3.0]) == Estimate(2.0, 1.0, 2)


def test_the_knee_is_the_largest_load_that_is_delivered(reference: dict[Case, Measured]) -> None:
    chain = {
        case: runs
        for case, runs in reference.items()
        if (case.topology, case.hops, case.packet, case.rate) == ("chain", 10, 512, "1Mb")
        and case.propagation == "tworay"
        and not case.rts
        and case.load < 2000
    }
    rows = compare(chain, chain)
    assert {row.case.load for row in rows if row.delay.bar is not None} == {
        load for load in {case.load for case in chain} if load <= 170
    }


@pytest.mark.long
def test_the_page_is_whole_and_the_same_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "MANY", 2)
    data = tmp_path / "data"
    data.mkdir()
    for path in DATA.glob("micro_*.txt"):
        shutil.copy(path, data)
    for name in FILES:
        store.record(data, name, _few(store.table(DATA, name)))
    pages = []
    for name in ("first", "second"):
        found = page.validate(tmp_path / name, data=data, seeds=1, progress=False)
        assert all(found.probes.values())
        pages.append({path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.*")})
    assert pages[0] == pages[1]
    text = pages[0]["README.md"].decode()
    for title in "abcdefg":
        assert f"## ({title}) " in text
    links = re.findall(r"\]\((figures/[^)]*)\)", text)
    assert len(links) == 6
    assert all((tmp_path / "first" / link).is_file() for link in links)
    assert not re.search(r"\bnan\b", text)


def _few(runs: pl.DataFrame) -> pl.DataFrame:
    """Keep a few seeds of a file's lowest load, of short chains and small cells."""
    saturated = (pl.col("topo") == "chain") & (pl.col("hops") == 10) & (pl.col("load") == 2000)
    return runs.filter(
        pl.col("hops").is_in([0, 1, 10]),
        pl.col("sources") <= 5,
        pl.col("load") == pl.col("load").min(),
        pl.col("seed") <= 3,
        ~saturated,
    )
