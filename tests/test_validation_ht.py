"""The tolerances of docs/validation/ht.md, on fewer cases and runs."""

from pathlib import Path

import pytest

from multihop_validation import ht, ht_page, ofdm, ofdm_page
from multihop_validation.store import DATA

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def reference() -> ofdm.Runs:
    return ofdm.read(DATA, ht.FILE, ht.Case)


def test_links_carry_what_the_formula_says(reference: ofdm.Runs) -> None:
    links = [
        case
        for case in reference
        if case.part == "single" and case.payload == 1000 and case.rate in (6.5, 65, 72.2)
    ]
    ours = ofdm.measure(links, 1, progress=False)
    found = ofdm_page.OfdmValidation(Path("page"), tuple(ofdm.points(reference, ours)))
    assert len(links) == 9
    assert max(found.off_formula()) < ofdm_page.FORMULA
    assert found.passed


def test_short_chains_carry_what_they_do_in_ns3(reference: ofdm.Runs) -> None:
    few = [
        case
        for case in reference
        if case.part == "chains" and case.transport == "udp" and case.hops == 2 and not case.rts
    ]
    points = ofdm.points(reference, ofdm.measure(few, 1, progress=False))
    assert len(points) == 4
    assert all(map(ofdm.Point.is_near, points))


def test_the_formula_is_that_of_the_standard(reference: ofdm.Runs) -> None:
    batches = [case for case in reference if case.part == "single" and case.payload == 1000]
    most = {(case.rate, case.aggregation): case.most for case in batches}
    assert (most[65.0, 65535], most[6.5, 65535], most[65.0, 0]) == (41, 4, 1)


def test_the_page_is_written_from_what_is_kept(reference: ofdm.Runs, tmp_path: Path) -> None:
    rows = {case: [{"goodput_kbps": one} for one in runs] for case, runs in reference.items()}
    ofdm_page.keep(tmp_path / "data", ht_page.RUNS, rows)
    found = ht_page.write(tmp_path)
    assert len(found.points) == len(reference)
    assert found.passed
    text = found.page.read_text()
    assert "0.00 % at most" not in text
    for part in ht_page.PARTS.values():
        assert part.lower() in text.lower()
