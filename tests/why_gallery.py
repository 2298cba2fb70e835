"""Makes the page of ten networks and why they are slow: `python -m tests.why_gallery`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from multihop import Scenario, Why, why
from multihop.reasons.trials import Verdict
from multihop.reporting.markdown import markdown_table

ROOT = Path(__file__).resolve().parents[1]
CASES: list[dict[str, Any]] = tomllib.loads(
    (ROOT / "tests" / "data" / "why_cases.toml").read_text(encoding="utf-8")
)["case"]
SHOWN = [case for case in CASES if "about" in case]
PAGE = ROOT / "docs" / "guides" / "why-gallery.md"
# So many changes stand in a table.
MOST_ROWS = 6

HEAD = """# Guess first, then ask why

Ten small networks that carry less than one would think. Read the scenario, guess what limits it,
then read on. Each answer is what `multihop why` says of ten runs of each change
([how to read it](why.md#how-to-read-it)). All ten were built with a limit in mind, and are
[tests](../../tests/test_why_cases.py).
"""


def asked(case: Mapping[str, Any]) -> Why:
    """Ask why, of one case, what limits it."""
    scenario = Scenario.from_toml(case["scenario"])
    return why(scenario, case["metric"], budget_s=300, most_seeds=10, changing=False)


def answer(found: Why) -> str:
    """Write what limits a network: the first sentence that names it, and what changes are worth."""
    begins = ("What limits it first", f"The {found.metric.about}")
    named = [line for line in found.sections["What limits it"] if line.startswith(begins)]
    shown = [one for one in found.limits if one.verdict is not Verdict.NOTHING][:MOST_ROWS]
    rows = (
        (one.change.name, one.change.about, found.metric.written(one.worth), one.verdict.value)
        for one in shown
    )
    table = markdown_table(("if", "which means", "worth", "verdict"), rows, right=("worth",))
    return "\n".join((*named, "", table))


def section(case: Mapping[str, Any], found: Why) -> str:
    """Write one network: what it is, its scenario, and the answer."""
    title = case["name"][0].upper() + case["name"][1:]
    text = f"```toml\n{case['scenario'].strip()}\n```"
    return "\n\n".join((f"## {title}", case["about"], text, answer(found).strip()))


def main() -> None:
    """Run the networks, and write the page."""
    sections = [section(case, asked(case)) for case in SHOWN]
    PAGE.write_text("\n\n".join((HEAD.strip(), *sections)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
