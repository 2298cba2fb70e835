"""The bars of docs/validation/wake.md, on fewer cases and runs."""

import shutil
import subprocess
from pathlib import Path

import pytest

from multihop_validation import wake, wake_page
from multihop_validation.compare import Verdict
from multihop_validation.reference import NETWORKS
from multihop_validation.store import DATA

pytestmark = pytest.mark.engine


@pytest.fixture(scope="module")
def reference() -> dict[wake.Case, wake.Runs]:
    return wake.read(DATA)


def test_the_wave_is_ns2s_too_and_its_parts_are_worth_as_little_alone(
    reference: dict[wake.Case, wake.Runs],
) -> None:
    ten = {case: runs for case, runs in reference.items() if case.hops == 10}
    points = wake.points(ten, wake.measure(ten, 1, progress=False))
    assert {point.goodput.verdict for point in points} == {Verdict.INSIDE}
    assert len({point.case.rules for point in points}) == 6
    far = {p.case.rules: p for p in points if p.case.spacing_m == 200}
    rules = far.pop("rules 1 to 4")
    assert rules.upstream_first == 1.0
    for point in far.values():
        assert point.goodput.ours.mean < 0.75 * rules.goodput.ours.mean
        assert point.goodput.reference.mean < 0.75 * rules.goodput.reference.mean


def test_a_case_that_differs_is_outside(reference: dict[wake.Case, wake.Runs]) -> None:
    case, runs = next(iter(reference.items()))
    alike = {case: [*runs.values]}
    more = {case: [wake.Values(1.12 * goodput, delay) for goodput, delay in runs.values]}
    (same,), (other,) = (wake.points({case: runs}, ours) for ours in (alike, more))
    assert same.goodput.verdict is Verdict.INSIDE
    assert other.goodput.verdict is Verdict.OUTSIDE
    page = Path("wake.md")
    assert wake_page.WakeValidation(page, (same,)).passed
    assert not wake_page.WakeValidation(page, (same, other)).passed


@pytest.mark.skipif(shutil.which("ns") is None, reason="ns-2 is not installed")
def test_ns2_says_so_again(reference: dict[wake.Case, wake.Runs]) -> None:
    options = ["-hops", "6", "-warm", "3", "-dur", "3"]
    done = subprocess.run(
        ["ns", str(NETWORKS / "wake.tcl"), *options], capture_output=True, text=True, check=True
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("RESULT"))
    said = dict(word.split("=") for word in line.split()[1:])
    stored = next(runs for case, runs in reference.items() if case.hops == 6)
    assert float(said["goodput_kbps"]) == pytest.approx(stored.values[0].goodput, rel=0.02)
    assert said["upstream_first"] == "1.0000"
