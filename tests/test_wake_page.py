"""WAKE's pages: made of what was found, and nothing is left out."""

import re
from pathlib import Path

from multihop.reporting.verdicts import Verdict
from multihop_papers.wake import order, page
from multihop_papers.wake.page import Lead, lead
from multihop_papers.wake.setup import CASES

AHEAD = "chain: WAKE is ahead of every rival in "


def found(claim: str, measured: str, verdict: str = "reproduced") -> Verdict:
    return Verdict("wake/overload-a", claim, "", measured, verdict)


def test_every_claim_is_counted_and_listed() -> None:
    verdicts = page.verdicts()
    made = page.tables()
    overload, summary, every, rules = (
        made[f"wake{name}"] for name in (" overload", "", " claims", " rules")
    )
    held = sum(verdict.verdict == "reproduced" for verdict in verdicts)
    assert made["wake counts"].startswith(f"Of the {len(verdicts)} claims that")
    assert f"judges {held} hold, " in made["wake counts"]
    cells = [line[2:-2].split(" | ") for line in summary.splitlines()[2:]]
    assert sum(int(row[2]) for row in cells) == len(verdicts)
    assert sum(int(row[3]) for row in cells) == sum(
        verdict.verdict == "reproduced" for verdict in verdicts
    )
    assert len(every.splitlines()) == 2 + len(verdicts)
    assert len(overload.splitlines()) == 2 + len(CASES)
    assert len(rules.splitlines()) == 2 + sum("ablation" in verdict.id for verdict in verdicts)
    for word, named in (("**does not hold**", "differs"), ("| undecided |", "undecided")):
        assert every.count(word) == sum(verdict.verdict == named for verdict in verdicts)


def test_a_lead_is_more_goodput_or_less_delay() -> None:
    goodput = found(AHEAD + "goodput", "246.5 against 123.25 kbit/s (EZ-Flow, after 300 s)")
    assert lead(goodput) == Lead(2.0, True)
    sure = found(AHEAD + "goodput", "20.0 against 10.0 kbit/s (UDP); 95 % interval 9 to 11")
    assert lead(sure) == Lead(2.0, True)
    delay = found(AHEAD + "network delay", "150.0 against 75.0 ms (WXCP)", "differs")
    assert lead(delay) == Lead(0.5, False)
    fair = found(AHEAD + "sum of log goodput", "20.0 against 16.0 (ATP)")
    assert lead(fair) is None, "logarithms have no ratio"
    assert lead(found("chain: WAKE has settled within a second", "97%")) is None


def marks(svg: str) -> tuple[int, int, list[str]]:
    """Count marks and lines, and list words: other versions of matplotlib place them otherwise."""
    words = re.findall(r"<!-- (.*?) -->|<text[^>]*>(.*?)</text>", svg)
    return svg.count("<use "), svg.count("<path "), sorted("".join(word) for word in words)


def test_the_picture_has_a_mark_for_every_lead(tmp_path: Path) -> None:
    svg = page.draw(tmp_path).read_text(encoding="utf-8")
    there = Path(__file__).resolve().parent.parent / "docs" / "wake" / "ahead.svg"
    same = marks(there.read_text(encoding="utf-8")) == marks(svg)
    assert same, "python -m multihop_papers.wake.page docs/wake"
    assert "best rival" in svg


def test_waves_begin_upstream_and_hardly_anything_is_lost() -> None:
    """With UDP, a frame that begins after one three hops on is mostly lost."""
    waves = order.measured("wake", "5 s")
    assert len(waves) > 500
    # The very first packet of a flow is not held on its way (rule 9).
    assert (~waves["first"]).sum() <= 1
    # What is on the air when the run ends is not received.
    assert waves["upstream"].sum() > 0.99 * len(waves)
    assert waves["downstream"].sum() > 0.99 * len(waves)
    backoff = order.measured("udp", "5 s")
    late = backoff.filter(first=False)
    assert len(late) > len(backoff) / 3
    assert late["upstream"].sum() < late["downstream"].sum() / 2
