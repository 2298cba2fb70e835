"""The tolerances of docs/validation/ofdm.md, on fewer cases and runs."""

from pathlib import Path

import pytest

from multihop_validation import ofdm, ofdm_page
from multihop_validation.store import DATA

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def reference() -> ofdm.Runs:
    return ofdm.read(DATA)


def test_links_carry_what_the_formula_says(reference: ofdm.Runs) -> None:
    links = [case for case in reference if case.part == "single" and case.payload == 1000]
    ours = ofdm.measure(links, 1, progress=False)
    found = ofdm_page.OfdmValidation(Path("page"), tuple(ofdm.points(reference, ours)))
    assert len(links) == 8
    assert max(found.off_formula()) < ofdm_page.FORMULA
    assert found.passed


def test_chains_carry_what_they_do_in_ns3(reference: ofdm.Runs) -> None:
    few = [
        case
        for case in reference
        if case.part in ("chains", "hidden", "table")
        and case.transport == "udp"
        and case.hops in (2, 4)
        and not case.rts
    ]
    points = ofdm.points(reference, ofdm.measure(few, 1, progress=False))
    assert len(points) > 8
    assert sum(map(ofdm.Point.is_near, points)) >= 0.9 * len(points)


def test_points_that_differ_miss_their_bars(reference: ofdm.Runs) -> None:
    def compared(part: str, factor: float) -> list[ofdm.Point]:
        some = {case: runs for case, runs in reference.items() if case.part == part}
        return ofdm.points(
            reference, {case: [factor * one for one in runs] for case, runs in some.items()}
        )

    assert ofdm_page.keeps(compared("chains", 1.0))
    assert not ofdm_page.keeps(compared("chains", 1.3))
    assert not ofdm_page.keeps(compared("chains", 0.7))
    for factor, is_near in ((1.4, True), (0.72, True), (1.6, False), (0.6, False)):
        collapsed = [point for point in compared("loads", factor) if point.is_collapsed]
        assert [point.is_near() for point in collapsed] == [is_near] * len(collapsed)
        assert collapsed


def test_the_page_is_written_from_what_is_kept(reference: ofdm.Runs, tmp_path: Path) -> None:
    rows = {case: [{"goodput_kbps": one} for one in runs] for case, runs in reference.items()}
    ofdm_page.keep(tmp_path / "data", ofdm_page.RUNS, rows)
    found = ofdm_page.write(tmp_path)
    text = found.page.read_text(encoding="utf-8")
    assert len(found.points) == len(reference)
    assert all(case.title in text for case in reference)
    assert "](drawn.md)" not in text
