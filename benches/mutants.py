"""Break the code on purpose, in a stated sample of places, and see whether the tests notice.

    python benches/mutants.py list       # what is broken
    python benches/mutants.py run        # the whole sample: hours on two processors
    python benches/mutants.py missed     # once more, what the tests have not noticed

`cargo-mutants` changes the crates, `cosmic-ray` the layers of the package, each in a copy of the
tree. Both list all places in the same order every time; the sample is every so many of the list.
A mutant is tried with the tests of its crate, without examples in documentation, or of its layer.
Outcomes are kept in `mutants.json`, and `python -m tests.generate mutants` makes their page.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STORE = Path(__file__).with_suffix(".json")
CRATES = ("core", "node", "medium", "routing")
# The tests of each layer of the package.
LAYERS = {
    "statistics": ("stats", "intervals"),
    "scenario": ("scenario", "fitting", "noting"),
    "results": ("results", "messages"),
    "searching": ("optimum", "rates"),
    "sweeping": ("axes", "parts", "status", "sweep_file", "sweeps", "precision"),
    "comparing": ("comparison", "pairs", "compare_explicit"),
    "capacity": ("bound", "bound_parts", "bound_program"),
}
# Every so many places of the list are in the sample.
RUST_STEP, PYTHON_STEP = 146, 331
# The longest time for the tests of one mutant.
LONGEST_S = 300
# What regular expressions of Rust mean otherwise.
PUNCTUATION = r"\.+*?()|[]{}^$#&-~"
OUTCOMES = {
    "CaughtMutant": "killed",
    "MissedMutant": "missed",
    "Timeout": "timeout",
    "Unviable": "unviable",
}
SHARD = ("--shard", f"0/{RUST_STEP}", "--sharding", "round-robin")
Mutant = dict[str, Any]


def said(command: Sequence[str], where: Path = ROOT) -> str:
    return subprocess.run(command, cwd=where, check=True, capture_output=True, text=True).stdout


def cargo_mutants(*more: str) -> list[str]:
    packages = [word for crate in CRATES for word in ("--package", f"multihop-{crate}")]
    return ["cargo", "mutants", *packages, *more]


def rust(folder: Path, only: Collection[str] | None) -> list[Mutant]:
    """Run the sample of the crates, or those mutants of it."""
    which = SHARD if only is None else [word for name in only for word in ("--re", pattern(name))]
    if not which:
        return []
    out = ("--output", str(folder), "--timeout", str(LONGEST_S), "--no-shuffle")
    subprocess.run(cargo_mutants(*out, *which, "--", "--lib", "--tests"), cwd=ROOT, check=False)
    text = (folder / "mutants.out" / "outcomes.json").read_text("utf-8")
    outcomes = [one for one in json.loads(text)["outcomes"] if one["scenario"] != "Baseline"]
    return [outcome_of_rust(outcome) for outcome in outcomes]


def outcome_of_rust(outcome: Any) -> Mutant:
    mutant = outcome["scenario"]["Mutant"]
    # without the line, which moves
    what = mutant["name"].partition(" ")[2]
    crate = mutant["package"].removeprefix("multihop-")
    name = f"{mutant['file']}: {what}"
    return {"part": f"crates/{crate}", "mutant": name, "outcome": OUTCOMES[outcome["summary"]]}


def pattern(name: str) -> str:
    """Find a mutant wherever its line is, as a regular expression of Rust."""
    file, _, what = name.partition(": ")
    file, what = (
        "".join(f"\\{one}" if one in PUNCTUATION else one for one in text) for text in (file, what)
    )
    return f"^{file}:[0-9:]+ {what}$"


CONFIGURATION = """\
[cosmic-ray]
module-path = ["python/multihop/{layer}"]
timeout = {longest}
excluded-modules = []
test-command = "true"
[cosmic-ray.distributor]
name = "local"
"""


def where_types_stand(text: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where types stand: a change there changes nothing that runs."""
    found: list[ast.expr | None] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.arg | ast.AnnAssign):
            found.append(node.annotation)
        if isinstance(node, ast.FunctionDef):
            found.append(node.returns)
    return [
        ((at.lineno, at.col_offset), (at.end_lineno or 0, at.end_col_offset or 0))
        for at in found
        if at is not None
    ]


def places(layer: str, folder: Path) -> Iterator[Any]:
    """List all places of a layer that can be changed, in the order of its files."""
    config, session = folder / f"{layer}.toml", folder / f"{layer}.sqlite"
    config.write_text(CONFIGURATION.format(layer=layer, longest=LONGEST_S), encoding="utf-8")
    said(["cosmic-ray", "init", str(config), str(session), "--force"])
    listed = said(["cosmic-ray", "dump", str(session)]).splitlines()
    found = [json.loads(line)[0]["mutations"][0] for line in listed]
    names = {at["module_path"] for at in found}
    types = {name: where_types_stand((ROOT / name).read_text("utf-8")) for name in names}
    for at in sorted(found, key=place):
        start = tuple(at["start_pos"])
        if not any(first <= start < last for first, last in types[at["module_path"]]):
            yield {**at, "layer": layer}


def place(at: Any) -> tuple[Any, ...]:
    return (at["module_path"], at["start_pos"], at["operator_name"], at["occurrence"])


def python_places() -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        return [at for layer in LAYERS for at in places(layer, Path(folder))]


def name_of(at: Any) -> str:
    """Name a mutant without its line, which moves."""
    operator = at["operator_name"].removeprefix("core/")
    where = at["definition_name"] or "the module"
    return f"{at['module_path']}: {operator} {at['occurrence']} in {where}"


def python(tree: Path, sample: Sequence[Any], only: Collection[str] | None) -> Iterator[Mutant]:
    """Run the sample of the layers, or those mutants of it, in a copy of the tree."""
    copy_to(tree)
    for at in sample:
        name = name_of(at)
        if only is None or name in only:
            outcome = judged(at, tree)
            print(f"{outcome:8} {name} (line {at['start_pos'][0]})", flush=True)
            yield {"part": f"python/multihop/{at['layer']}", "mutant": name, "outcome": outcome}


def copy_to(tree: Path) -> None:
    """Copy what is tracked, and the engine."""
    for name in said(["git", "ls-files", "-z"]).split("\0"):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name, follow_symlinks=False)
    for engine in (ROOT / "python" / "multihop").glob("_multihop.*.so"):
        shutil.copy(engine, tree / "python" / "multihop")


def judged(at: Any, tree: Path) -> str:
    tests = " ".join(f"tests/test_{name}.py" for name in LAYERS[at["layer"]])
    command = f"{sys.executable} -m pytest -x -q -p no:cacheprovider {tests}"
    job = [at["module_path"], at["operator_name"], str(at["occurrence"]), command]
    packages = [tree / "python", *(tree / "packages").iterdir()]
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, packages))}
    whole = (tree / at["module_path"]).read_bytes()
    try:
        run = subprocess.run(
            ["cosmic-ray", "mutate-and-test", *job],
            cwd=tree,
            env=surroundings,
            check=True,
            capture_output=True,
            text=True,
            timeout=LONGEST_S,
        )
    except subprocess.TimeoutExpired:
        return "timeout"
    finally:
        (tree / at["module_path"]).write_bytes(whole)
    outcome = json.loads(run.stdout.strip().splitlines()[-1])["test_outcome"]
    return {"killed": "killed", "survived": "missed"}.get(outcome, "unviable")


def stated(step: int, places: int) -> dict[str, int]:
    return {"every": step, "of": places}


def tried(before: Mapping[str, Any], *, again: bool) -> dict[str, Any]:
    """Run the sample, or `again` what the tests have missed before."""
    known = before.get("mutants", [])
    missed = [one["mutant"] for one in known if one["outcome"] == "missed"]
    only = missed if again else None
    every = python_places()
    with tempfile.TemporaryDirectory() as out, tempfile.TemporaryDirectory() as tree:
        crates = rust(Path(out), only and [name for name in only if name.startswith("crates/")])
        layers = python(Path(tree), every[::PYTHON_STEP], only)
        found = {one["mutant"]: one for one in (*crates, *layers)}
    kept = [found.get(one["mutant"], one) for one in known] if again else list(found.values())
    reasons = {one["mutant"]: one["reason"] for one in known if "reason" in one}
    for one in kept:
        if one["outcome"] == "missed" and one["mutant"] in reasons:
            one["reason"] = reasons[one["mutant"]]
    sample = {
        "crates": stated(RUST_STEP, len(said(cargo_mutants("--list")).splitlines())),
        "layers": stated(PYTHON_STEP, len(every)),
    }
    return {"sample": sample, "mutants": kept}


def main() -> None:
    parser = argparse.ArgumentParser(description="Run a sample of mutants.")
    parser.add_argument("what", choices=("list", "run", "missed"))
    what = parser.parse_args().what
    if what == "list":
        print(said(cargo_mutants("--list", *SHARD)), end="")
        print(*map(name_of, python_places()[::PYTHON_STEP]), sep="\n")
        return
    before = json.loads(STORE.read_text("utf-8")) if STORE.exists() else {}
    found = tried(before, again=what == "missed")
    STORE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
