"""Parts cost a file and two lines each.

So it is with a scheme, a TCP variant, a routing protocol, a MAC, a propagation, a topology, a kind
of traffic and a model of movement.

They are added to a copy of the Rust crates, which must then list, describe and run them
(`additions/probe.rs`).
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "tests" / "additions"
CRATES = (
    "core",
    "medium",
    "setup",
    "compose",
    "node",
    "policy",
    "routing",
    "scenario",
    "schemes",
    "sim",
    "testkit",
    "parquet",
    "trace",
)


class Addition(NamedTuple):
    """What is added: its file, where that comes from, and the lines behind others' like them."""

    file: str
    source: Path
    lines: tuple[tuple[str, str], ...]


ADDITIONS = {
    "scheme": Addition(
        "crates/schemes/src/lifo/mod.rs",
        ROOT / "crates/schemes/tests/lifo/mod.rs",
        (
            ("crates/schemes/src/lib.rs", "pub mod lifo;"),
            ("crates/schemes/src/lib.rs", "    &lifo::SCHEME,"),
        ),
    ),
    "TCP variant": Addition(
        "crates/schemes/src/tcp/plain.rs",
        HERE / "plain.rs",
        (
            ("crates/schemes/src/tcp/mod.rs", "pub mod plain;"),
            ("crates/schemes/src/lib.rs", "    &tcp::plain::SCHEME,"),
        ),
    ),
    "routing protocol": Addition(
        "crates/routing/src/line/mod.rs",
        HERE / "line.rs",
        (
            ("crates/routing/src/lib.rs", "pub mod line;"),
            ("crates/routing/src/lib.rs", "    &line::ROUTING,"),
        ),
    ),
    "MAC": Addition(
        "crates/medium/src/aloha/mod.rs",
        ROOT / "examples/outside/src/aloha.rs",
        (
            ("crates/medium/src/lib.rs", "pub mod aloha;"),
            ("crates/medium/src/lib.rs", "    &aloha::MAC,"),
        ),
    ),
    "propagation": Addition(
        "crates/medium/src/propagation/dual_slope.rs",
        HERE / "dual_slope.rs",
        (
            ("crates/medium/src/propagation/mod.rs", "pub mod dual_slope;"),
            ("crates/medium/src/propagation/mod.rs", "    &dual_slope::MODEL,"),
        ),
    ),
    "topology": Addition(
        "crates/scenario/src/topology/ring.rs",
        HERE / "ring.rs",
        (
            ("crates/scenario/src/topology.rs", "mod ring;"),
            ("crates/scenario/src/topology.rs", "    &ring::TOPOLOGY,"),
        ),
    ),
    "traffic": Addition(
        "crates/setup/src/traffic/bursts.rs",
        HERE / "bursts.rs",
        (
            ("crates/setup/src/traffic.rs", "mod bursts;"),
            ("crates/setup/src/traffic.rs", "    &bursts::KIND,"),
        ),
    ),
    "movement": Addition(
        "crates/scenario/src/mobility/drift.rs",
        HERE / "drift.rs",
        (
            ("crates/scenario/src/mobility.rs", "mod drift;"),
            ("crates/scenario/src/mobility.rs", "    &drift::MODEL,"),
        ),
    ),
}
LIST = re.compile(
    r"^pub static (?:SCHEMES|ROUTINGS|TOPOLOGIES|MACS|PROPAGATIONS|TRAFFICS|MOBILITIES): "
    r"[^=]*=\s*&\[[^\]]*?(?=,?\n?\];)",
    re.MULTILINE,
)
MODULE = re.compile(r"^(?:pub )?mod \w+;\n", re.MULTILINE)


def insert(file: Path, line: str) -> None:
    """Insert a module before the first one, or an entry at the end of the list."""
    text = file.read_text(encoding="utf-8")
    is_module = line.endswith(";")
    found = MODULE.search(text) if is_module else LIST.search(text)
    assert found, f"{file} has no place for {line!r}"
    at, added = (
        (found.start(), f"{line}\n") if is_module else (found.end(), f",\n{line.removesuffix(',')}")
    )
    file.write_text(text[:at] + added + text[at:], encoding="utf-8")


@pytest.mark.long
def test_an_addition_is_a_file_and_two_lines(tmp_path: Path) -> None:
    for crate in CRATES:
        if (ROOT / "crates" / crate).exists():
            shutil.copytree(ROOT / "crates" / crate, tmp_path / "crates" / crate)
    # With other flags for the compiler, all that comes from elsewhere would be built once more.
    for name in ("Cargo.toml", "Cargo.lock", ".cargo/config.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    for what, addition in ADDITIONS.items():
        assert len(addition.lines) <= 2, what
        # Inside the crate, its name is `crate`.
        text = addition.source.read_text(encoding="utf-8")
        text = re.sub(r"multihop_(?:schemes|medium)::", "crate::", text)
        file = tmp_path / addition.file
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        for path, line in addition.lines:
            insert(tmp_path / path, line)
    probe = tmp_path / "crates/sim/tests/probe.rs"
    probe.parent.mkdir(exist_ok=True)
    shutil.copy2(HERE / "probe.rs", probe)
    # What comes from elsewhere is shared with the tests of the tree, and therefore made as there.
    packages = [f"profile.test.package.multihop-{crate}" for crate in CRATES]
    config = [
        word
        for package in packages
        for setting in ("opt-level=0", "debug=false")
        for word in ("--config", f"{package}.{setting}")
    ]
    done = subprocess.run(
        ["cargo", "test", "--offline", "--quiet", *config, "-p", "multihop-sim", "--test", "probe"],
        cwd=tmp_path,
        env={**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target"), "CARGO_INCREMENTAL": "0"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr + done.stdout


def test_contributing_counts_the_same_lines() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for what, addition in ADDITIONS.items():
        folder = addition.file.removesuffix("/mod.rs").rpartition("/")[0]
        row = next(row for row in page.splitlines() if row.startswith(f"| {what} |"))
        assert f"({folder})" in row, what
        for path, line in addition.lines:
            name = re.sub(
                r"lifo|plain|line|ring|aloha|dual_slope|bursts|drift",
                "NAME",
                line.strip(),
                count=1,
            )
            assert f"`{name}` in [{Path(path).name}]({path})" in row, row
