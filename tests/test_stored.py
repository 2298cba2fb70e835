"""Where papers stand: reasons in one line, what is kept of full runs, and that it is current."""

import json
from pathlib import Path
from typing import Any

import pytest

from multihop.reporting.standing import Cost, time_needed
from multihop.reporting.verdicts import OPEN, TOO_FEW, Verdict
from multihop.reproducing import stored
from multihop.reproducing.registry import CITATIONS, ROWS
from multihop.reproducing.reproduction import judge_rows
from multihop.reproducing.stored import OWN, claims_of, load, take, verdicts_of
from multihop_papers.cxcc.testbed import drops, stable

REMEDY = (
    "run `multihop reproduce {0}`, then `python -m multihop.reproducing.stored "
    "results/reproduce/verdicts.json` and `python -m tests.test_docs`"
)
# A line of a table.
LONGEST_REASON = 240


@pytest.mark.parametrize("paper", CITATIONS)
def test_what_is_kept_are_the_claims_as_they_are_now(paper: str) -> None:
    kept = [(claim["id"], claim["claim"], claim["expected"]) for claim in load(paper)["claims"]]
    now = [(name, claim.text, claim.expected) for name, claim in claims_of(paper)]
    assert kept == now, REMEDY.format(paper)


def test_what_other_commands_have_found_is_kept_as_their_claims_are_now() -> None:
    [row] = [row for row in ROWS if row.elsewhere]
    kept = [(v.id, v.claim, v.expected) for v in stored.found_elsewhere(row)]
    assert row.elsewhere
    name, command = row.elsewhere
    now = [(name, claim.text, claim.expected) for claim in (drops(), stable())]
    assert kept == now, f"run `{command} --runs 3 --keep docs/reproduced/...`"


@pytest.mark.parametrize("own", OWN)
def test_what_is_kept_beside_papers_are_claims_as_they_are_now(own: str) -> None:
    """Figures may be missing; what is kept of the others is in their order."""
    claims = load(own).get("claims", ())
    kept = [(claim["id"], claim["claim"], claim["expected"]) for claim in claims]
    now = [(name, claim.text, claim.expected) for name, claim in claims_of(own)]
    assert kept == [claim for claim in now if claim in set(kept)], REMEDY.format(own)


def test_figures_of_wake_are_kept_one_by_one(tmp_path: Path) -> None:
    every = found("wake", quick=False)
    first, _, third, *_ = dict.fromkeys(claim["id"] for claim in every["claims"])
    for panel in (third, first):
        claims = [claim for claim in every["claims"] if claim["id"] == panel]
        assert take({**every, "claims": claims}, tmp_path) == ["wake"]
    kept = load("wake", tmp_path)
    assert kept["claims"] == [
        stored.written_claim(claim) for claim in every["claims"] if claim["id"] in (first, third)
    ]
    assert [part["panels"] for part in kept["parts"]] == [[third], [first]]


@pytest.mark.parametrize("paper", CITATIONS)
def test_a_calibrated_claim_is_one_that_holds(paper: str) -> None:
    """That something was fitted may be said later; it is not measured."""
    fitted = {(name, claim.text) for name, claim in claims_of(paper) if claim.calibrated}
    others = [row.elsewhere.id for row in ROWS if row.elsewhere]
    fitted |= {(name, c.text) for name in others for c in (drops(), stable()) if c.calibrated}
    for verdict in verdicts_of(paper):
        holds = "calibrated" if (verdict.id, verdict.claim) in fitted else "reproduced"
        assert verdict.verdict in (holds, "undecided", "differs"), REMEDY.format(paper)


@pytest.mark.parametrize("paper", CITATIONS)
def test_every_reason_is_a_line(paper: str) -> None:
    for verdict in verdicts_of(paper):
        assert verdict.holds != bool(verdict.reason)
        assert len(verdict.reason) <= LONGEST_REASON, verdict.reason
        assert "|" not in verdict.reason


def test_every_row_has_a_verdict() -> None:
    kept = [verdict for paper in CITATIONS for verdict in verdicts_of(paper)]
    judged = {row.ids for row in judge_rows(ROWS, kept)}
    assert judged == {row.ids for row in ROWS if row.ids[0].partition("/")[0] in CITATIONS}


def test_a_reason_is_the_first_sentence_of_a_note() -> None:
    def reason(note: str, verdict: str = "differs") -> str:
        return Verdict("cl/fig2", "c", "e", "m", verdict, note).reason

    assert reason("Off by 0.4 s, as in ns-2 2.35: open. Nothing else was.") == (
        "Off by 0.4 s, as in ns-2 2.35: open."
    )
    assert reason("no full stop") == "no full stop"
    assert reason("") == OPEN
    assert reason("fitted. To it", "calibrated") == ""
    assert reason("Another cause.", "undecided") == TOO_FEW


def found(paper: str, quick: bool, lacks: int = 0) -> dict[str, Any]:
    claims = [
        {"id": name, "claim": c.text, "expected": c.expected, "measured": "1"}
        | {"verdict": "differs", "interval": [0.8, 1.1]}
        for name, c in claims_of(paper)
    ]
    standing = {"paper": paper, "cost": {"runs": 3, "cpu_seconds": 30.0 if quick else 300.0}}
    return {
        "command": "multihop reproduce" + (" --quick" if quick else ""),
        "engine": "0.1.0",
        "about": "1 seed",
        "papers": [standing],
        "claims": [{**claim, "note": ""} for claim in claims[lacks:]],
    }


def test_a_full_run_is_kept_and_of_a_quick_one_its_cost(tmp_path: Path) -> None:
    assert take(found("lecn", quick=True), tmp_path) == ["lecn"]
    assert load("lecn", tmp_path).keys() == {"quick"}
    take(found("lecn", quick=False), tmp_path)
    kept = json.loads((tmp_path / "lecn.json").read_text())
    assert (kept["full"]["cpu_seconds"], kept["quick"]["cpu_seconds"]) == (300, 30)
    assert {verdict.verdict for verdict in verdicts_of("lecn", tmp_path)} == {"differs"}
    assert {verdict.interval for verdict in verdicts_of("lecn", tmp_path)} == {(0.8, 1.1)}
    judged = list(judge_rows(ROWS, verdicts_of("lecn", tmp_path)))
    made = stored.tables(ROWS, judged, tmp_path)
    line = next(line for line in made["papers"].splitlines() if "LECN" in line)
    assert line == "| LECN | 8 | 8 | 0, 0, 0, 8, 0 | 51 | 0 | 0 | 0 | 51 | 5.0 min | 30 s |"
    assert made["rows of lecn"].count("| differs |") == 8
    claims = len(claims_of("lecn"))
    assert made["counts of lecn"] == f"Of 8 rows: 8 differ. Of {claims} claims: {claims} differ.\n"
    # Rows of other papers that are judged in part need no claims to have a verdict.
    of_claims = f"Of {claims} claims: {claims} differ."
    assert made["counts"] == f"Of 11 rows: 8 differ, 3 partly. {of_claims}\n"


def test_a_guide_may_list_every_claim(tmp_path: Path) -> None:
    assert take(found("cl", quick=False), tmp_path) == ["cl"]
    lines = stored.tables(ROWS, [], tmp_path)["claims of cl"].splitlines()
    assert lines[0] == "| figure | the paper says | counts | measured | verdict |"
    claims = [(name.partition("/")[2], claim.text) for name, claim in claims_of("cl")]
    assert [tuple(line.split(" | ")[:2]) for line in lines[2:]] == [
        (f"| {name}", text) for name, text in claims
    ]
    assert all(line.endswith(" |") for line in lines)


def test_costs_of_a_busy_machine_can_be_left_out(tmp_path: Path) -> None:
    first, second = found("lecn", quick=False), found("lecn", quick=False)
    take(first, tmp_path)
    second["papers"][0]["cost"]["cpu_seconds"] = 999.0
    take(second, tmp_path, keep_costs=True)
    assert load("lecn", tmp_path)["full"]["cpu_seconds"] == 300
    take(second, tmp_path)
    assert load("lecn", tmp_path)["full"]["cpu_seconds"] == 999


def test_a_part_of_a_paper_is_not_kept_alone(tmp_path: Path) -> None:
    assert take(found("lecn", quick=False, lacks=1), tmp_path) == []
    assert load("lecn", tmp_path) == {}


def judged_anew(figure: str, command: str, engine: str) -> dict[str, Any]:
    whole = found("lecn", quick=False)
    claims = [c | {"measured": engine} for c in whole["claims"] if c["id"].startswith(figure)]
    return whole | {"command": command, "engine": engine, "claims": claims}


def test_a_figure_that_is_judged_anew_replaces_its_claims(tmp_path: Path) -> None:
    whole = found("lecn", quick=False)
    take(whole, tmp_path)
    assert take(judged_anew("lecn/fig5", "multihop reproduce lecn/fig5", "2"), tmp_path) == ["lecn"]
    kept = load("lecn", tmp_path)
    assert [c["claim"] for c in kept["claims"]] == [c["claim"] for c in whole["claims"]]
    assert {c["id"] for c in kept["claims"] if c["measured"] == "2"} == {"lecn/fig5a", "lecn/fig5b"}
    assert (kept["command"], kept["engine"]) == ("multihop reproduce", "0.1.0")
    assert kept["full"]["cpu_seconds"] == 300, "what a part has cost is not what the paper costs"
    [part] = kept["parts"]
    assert part["panels"] == ["lecn/fig5a", "lecn/fig5b"]
    assert (part["command"], part["engine"]) == ("multihop reproduce lecn/fig5", "2")


def test_each_panel_is_of_the_command_that_judged_it_last(tmp_path: Path) -> None:
    take(found("lecn", quick=False), tmp_path)
    take(judged_anew("lecn/fig5", "multihop reproduce lecn/fig5", "2"), tmp_path)
    take(judged_anew("lecn/fig5b", "multihop reproduce lecn/fig5b", "3"), tmp_path)
    parts = load("lecn", tmp_path)["parts"]
    assert [(part["panels"], part["engine"]) for part in parts] == [
        (["lecn/fig5a"], "2"),
        (["lecn/fig5b"], "3"),
    ]
    take(found("lecn", quick=False), tmp_path)
    assert "parts" not in load("lecn", tmp_path)


def test_a_claim_that_its_panel_no_longer_has_is_dropped(tmp_path: Path) -> None:
    take(found("lecn", quick=False), tmp_path)
    path = tmp_path / "lecn.json"
    kept = json.loads(path.read_text())
    kept["claims"].append(kept["claims"][0] | {"id": "lecn/fig5a", "claim": "as it was worded"})
    path.write_text(json.dumps(kept))
    take(judged_anew("lecn/fig5a", "multihop reproduce lecn/fig5a", "2"), tmp_path)
    assert "as it was worded" not in path.read_text()


def test_of_a_part_with_quick_nothing_is_kept(tmp_path: Path) -> None:
    take(found("lecn", quick=False), tmp_path)
    part = judged_anew("lecn/fig5", "multihop reproduce lecn/fig5 --quick", "2")
    assert take(part, tmp_path) == []


def test_what_another_command_has_found_does_not_make_a_paper_a_part(tmp_path: Path) -> None:
    whole = found("cxcc", quick=False)
    [other] = [row.elsewhere.id for row in ROWS if row.elsewhere]
    claims = [*whole["claims"], {**whole["claims"][0], "id": other}]
    assert take({**whole, "claims": claims}, tmp_path) == ["cxcc"]
    assert [claim["id"] for claim in load("cxcc", tmp_path)["claims"]] == [
        claim["id"] for claim in whole["claims"]
    ]


def test_the_time_of_all_papers_stands_beside_its_bar() -> None:
    text = time_needed([Cost(1, 600.0), Cost(2, 300.0)], quick=False)
    assert "15.0 min of one core, 7.5 min of 2" in text
    assert "(the target for all papers is 30.0 min)" in text
    assert "with --quick is 4.0 min" in time_needed([], quick=True)
