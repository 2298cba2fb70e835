"""Pages are written from runs that are kept: what is kept comes back as it was measured."""

from pathlib import Path

import pytest

from multihop_validation import dsr, dsr_page, page, probes, probing, reference, tcp, tcp_page
from multihop_validation.compare import Verdict
from multihop_validation.ours import keep, kept
from multihop_validation.store import DATA

pytestmark = pytest.mark.engine

STEP = probes.Step("rts begins at the sender", 0.0, 0.001)
GAPS = probes.Gaps(1, 63, 720.0, (720.0, 1960.0), (720.0, 1960.0), True)
SLOTS = probes.Slots("equally far apart", (0.7, 0.2, 0.1), (0.7, 0.2, 0.1))
PROBES = probing.Probes(
    exchange=[STEP],
    backoff=probing.Backoff(
        draws=[3, 0, 2],
        chi_square=12.5,
        packets=295,
        attempts={"RTS": [7], "data": [7]},
        gaps={"RTS": [GAPS], "data": [GAPS]},
        long_data=[0, 0, 0, 1, 4],
        waits=probing.Waits(435.3, 495.3, True),
        bursts=[(40, 40), (60, 50)],
        together=[SLOTS],
    ),
    captures=[probes.Capture("S", 200, ((300, 0), (0, 300)), 1.0, 1.0)],
    reception=[(0.95, 0.99)],
    routes=[[(0, 1), (1, 2)]],
)


def test_probes_come_back_as_they_were_found(tmp_path: Path) -> None:
    probing.keep(tmp_path, PROBES)
    assert probing.kept(tmp_path) == PROBES


def test_runs_come_back_case_by_case(tmp_path: Path) -> None:
    some = dict(list(reference.read(DATA, ["ns2_random", "ns2_cold"]).items())[:4])
    keep(tmp_path, page.RUNS, {case: list(page.rows_of(runs)) for case, runs in some.items()})
    again = page.kept_runs(tmp_path, page.RUNS)
    assert list(again) == list(some)
    assert all(again[case] == runs for case, runs in some.items())
    assert kept(tmp_path, page.RUNS, reference.Case).keys() == some.keys()


def test_the_page_of_dsr_is_written_from_what_is_kept(tmp_path: Path) -> None:
    theirs = dsr.read(DATA)
    runs = {case: [{dsr_page.GOODPUT: one} for one in own] for case, own in theirs.items()}
    keep(tmp_path / "data", dsr_page.RUNS, runs)
    found = dsr_page.write(tmp_path)
    assert found.counts[Verdict.INSIDE] == len(theirs), "ns-2 is like itself"
    text = found.page.read_text(encoding="utf-8")
    assert f"**{len(theirs)} of {len(theirs)} comparisons are inside" in text
    # The notes stand in the page, and their links begin at it.
    assert "](drawn.md)" in text
    assert "](../../benches/ns2/README.md)" in text


def test_the_page_of_tcp_is_written_from_what_is_kept(tmp_path: Path) -> None:
    theirs = tcp.read(DATA)
    keep(tmp_path / "data", tcp_page.RUNS, {case: own.rows() for case, own in theirs.items()})
    steps = [tcp.Steps("Reno", [1.0, 2.0], [1.0, 2.0]), tcp.Steps("Vegas", [1.0], [2.0])]
    tcp.keep_steps(tmp_path / "data", steps)
    found = tcp_page.write(tmp_path)
    assert found.steps == tuple(steps)
    assert found.counts[Verdict.INSIDE] == len(theirs)
    assert "for 1 of 2 variants (Reno, Vegas)" in found.page.read_text(encoding="utf-8")
