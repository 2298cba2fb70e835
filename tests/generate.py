"""Write everything that programs make of code and of stored results: `make generate`.

    python -m tests.generate [NAME ...]

makes all of it anew, or what is named. `test_generated.py` fails where a file differs.
"""

import json
import shutil
import sys
import tempfile
import textwrap
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from multihop import schema
from multihop.gallery import lessons
from multihop.sweeping.schema import sweep_schema
from multihop_papers.lora.starts import starts
from multihop_validation import ns3_page
from multihop_validation.__main__ import PAGES
from multihop_validation.store import DATA, PAGE_FOLDER, is_kept
from tests.test_docs import scheme_pages

ROOT = Path(__file__).resolve().parent.parent
Files = Mapping[Path, str]
# Keys of a schema whose members stand on a line each.
OPENED = ("$defs", "properties")


def schemas() -> Files:
    """Make the schemas that editors find beside the examples."""
    examples = ROOT / "examples"
    return {
        examples / "scenario.schema.json": compact(json.loads(schema())),
        examples / "sweeps" / "sweep.schema.json": compact(json.loads(sweep_schema())),
    }


GALLERY = """\
# Gallery

{count} short lessons that teach one thing each. The [playground](../guides/playground.md) has them as pages with networks that run in the
browser, and with exercises. `multihop gallery NAME` runs one of them, in a second or two, and replays it with its paragraph beside it;
`multihop gallery --export lecture` writes all of them as HTML files with an index, which need neither multihop nor a network. What the
paragraphs and the answers say is [tested](../../tests/test_gallery.py) with three seeds.
[Traces in the browser](../guides/view.md) says what the page shows and how to control it.
"""  # noqa: E501
PICTURES = {
    "hidden-terminal": "Two senders that cannot sense each other",
    "back-pressure": "UDP and CXCC over ten hops, at the same moment of the same overload",
}


def gallery() -> Files:
    """Make the page of the gallery from its lessons."""
    sections = [GALLERY.format(count=len(lessons()))]
    for lesson in lessons():
        name = lesson.name
        page, scenario = (f"../../python/multihop/gallery/{name}.{kind}" for kind in ("md", "toml"))
        sections.append(f"## {lesson.title}\n")
        sections.append(f"`multihop gallery {name}` ([lesson]({page}), [scenario]({scenario}))\n")
        sections.append(f"{textwrap.fill(lesson.text, 110)}\n")
        if name in PICTURES:
            sections.append(f"![{PICTURES[name]}]({name}.png)\n")
    return {ROOT / "docs" / "gallery" / "README.md": "\n".join(sections)}


def validation() -> Files:
    """Make the pages beside ns-2 and ns-3 of which runs are kept, without their pictures."""
    with tempfile.TemporaryDirectory() as made:
        out = Path(made)
        shutil.copytree(DATA, out / "data")
        for module in (ns3_page, *(module for module, _ in PAGES.values())):
            if is_kept(DATA, module.RUNS):
                module.write(out)
            else:
                print(f"no runs are kept for {module.__name__}: make validate", file=sys.stderr)
        return {PAGE_FOLDER / page.name: page.read_text("utf-8") for page in out.glob("*.md")}


def questions() -> Files:
    """Make the scenarios of LoRa's questions that the playground has."""
    folder = ROOT / "python" / "multihop" / "viewing" / "questions"
    return {folder / name: text for name, text in starts().items()}


MUTANTS = """\
# Mutants

`make mutants` breaks the code in small ways, one at a time (a `<` becomes a `<=`, a function returns nothing), and runs the tests. A mutant that no
test notices shows what is not tested. The program [cargo-mutants](https://mutants.rs) breaks {crates}. The tests of the crate
alone judge it. The program [cosmic-ray](https://cosmic-ray.readthedocs.io) breaks layers of the Python package. The tests that
[`benches/mutants.py`](../../benches/mutants.py) names for the layer judge it.

The sample is one in {every_crates} of the {of_crates:,} places that cargo-mutants finds there, and one in {every_layers} of the {of_layers:,} of cosmic-ray that are
not in a type. A mutant that does not compile, or cannot be run, is not counted. Tests that run without end have noticed it.

| part | mutants | killed | without end | not noticed | not counted |
| --- | --- | --- | --- | --- | --- |
{rows}

Of those that count, {share} are noticed.

## What no test notices

| mutant | why that may be |
| --- | --- |
{survivors}

The outcomes are kept in [`benches/mutants.json`](../../benches/mutants.json); `python -m tests.generate mutants` makes this page of them.
"""  # noqa: E501
RUST = """\
# Rust

The engine is a workspace of crates. [Where the code is](../guides/code.md) says how they fit together. On the site each name leads to the crate's
pages by rustdoc, which `make docs` writes beside these pages; in the repository it leads to the source.

| crate | what it is |
| --- | --- |
{rows}
"""  # noqa: E501


def rust() -> Files:
    """Make the list of the crates."""
    rows = []
    for manifest in sorted(ROOT.glob("crates/*/Cargo.toml")):
        crate = tomllib.loads(manifest.read_text("utf-8"))
        name = crate.get("lib", {}).get("name", crate["package"]["name"]).replace("-", "_")
        link = f"../../crates/{manifest.parent.name}/src/lib.rs"
        rows.append(f"| [{name}]({link}) | {crate['package']['description']} |")
    return {ROOT / "docs" / "reference" / "rust.md": RUST.format(rows="\n".join(rows))}


OUTCOMES = ("killed", "timeout", "missed", "unviable")


def mutants() -> Files:
    """Make the page of what the tests notice of code that is broken on purpose."""
    stored = json.loads((ROOT / "benches" / "mutants.json").read_text("utf-8"))
    counts = Counter((one["part"], one["outcome"]) for one in stored["mutants"])
    parts = sorted({part for part, _ in counts})
    rows = [[f"`{part}`", *(counts[part, outcome] for outcome in OUTCOMES)] for part in parts]
    total = ["all", *(sum(row[at] for row in rows) for at in range(1, 5))]
    noticed, missed = total[1] + total[2], total[3]
    survivors = [
        f"| `{one['mutant'].replace('|', chr(92) + '|')}` | {one['reason']} |"
        for one in stored["mutants"]
        if one["outcome"] == "missed"
    ]
    sample = stored["sample"]
    text = MUTANTS.format(
        crates=" and ".join(
            ", ".join(f"`{part}`" for part in parts if "crates" in part).rsplit(", ", 1)
        ),
        **{f"{key}_{which}": sample[which][key] for which in sample for key in ("every", "of")},
        rows="\n".join(
            f"| {part} | {sum(cells)} | {' | '.join(map(str, cells))} |"
            for part, *cells in [*rows, total]
        ),
        share=f"{noticed} of {noticed + missed} ({noticed / (noticed + missed):.0%})",
        survivors="\n".join(survivors) or "| | |",
    )
    return {ROOT / "docs" / "guides" / "mutants.md": text}


def compact(tree: Mapping[str, Any]) -> str:
    """Write a schema with a line for each key and each definition."""
    lines = ",\n".join(members(tree))
    return f"{{\n{lines}\n}}\n"


def members(tree: Mapping[str, Any]) -> Iterator[str]:
    for key, value in tree.items():
        if key in OPENED:
            inner = ",\n".join(f"  {_pair(name, part)}" for name, part in value.items())
            yield f" {json.dumps(key)}: {{\n{inner}\n }}"
        else:
            yield f" {_pair(key, value)}"


def _pair(key: str, value: Any) -> str:
    return f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"


MAKERS: dict[str, Callable[[], Files]] = {
    "scenario": scheme_pages,
    "schemas": schemas,
    "gallery": gallery,
    "questions": questions,
    "validation": validation,
    "mutants": mutants,
    "rust": rust,
}


def main(names: list[str]) -> int:
    unknown = set(names) - set(MAKERS)
    if unknown:
        print(f"error: unknown: {', '.join(unknown)}; there are: {', '.join(MAKERS)}")
        return 2
    for name in names or MAKERS:
        for path, text in MAKERS[name]().items():
            path.write_text(text, encoding="utf-8")
            print(f"written: {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
