"""The tolerances of docs/validation/ofdm_rates.md, on fewer cases and runs."""

from pathlib import Path

import pytest

from multihop_validation import ofdm_rates
from multihop_validation.store import DATA

pytestmark = pytest.mark.engine


def test_rates_are_those_that_ns3_chooses() -> None:
    reference = ofdm_rates.read(DATA)
    few = [case for case in reference if case.spacing_m in (10, 25, 40)]
    assert len(few) == 12
    ours = ofdm_rates.measure(few, 1, progress=False)
    found = ofdm_rates.RateValidation(Path("page"), ofdm_rates.points(reference, ours))
    assert found.passed


def test_the_page_is_written_from_what_is_kept(tmp_path: Path) -> None:
    reference = ofdm_rates.read(DATA)
    rows = {case: [ofdm_rates._row(case, run) for run in runs] for case, runs in reference.items()}
    ofdm_rates.keep(tmp_path / "data", ofdm_rates.RUNS, rows)
    found = ofdm_rates.write(tmp_path)
    assert found.passed
    assert found.page.read_text(encoding="utf-8").count("| 50 m |") == 4
