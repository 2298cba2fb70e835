"""What a crash, a full disk or a careless hand leaves of a sweep: run again, or named."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from multihop import IncompleteError, OutputError, Scenario, sweep, sweeps
from multihop import parts as store
from multihop.cli import app, main
from multihop.runner import simulate

VARY = {"seed": range(3)}


def parts(out: Path) -> list[Path]:
    return sorted((out / "parts").iterdir())


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


DAMAGE: dict[str, Callable[[Path], None]] = {
    "a table is gone": lambda part: (part / "flows.parquet").unlink(),
    "a table is empty": lambda part: (part / "runs.parquet").write_bytes(b""),
    "a table is cut": lambda part: truncate(part / "nodes.parquet"),
    "nobody knows what there was": lambda part: (part / store.MANIFEST).unlink(),
    "what there was is cut": lambda part: truncate(part / store.MANIFEST),
    "what there was is nonsense": lambda part: (part / store.MANIFEST).write_text("[1, 2]"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_part_is_run_again_and_no_other(
    base: Scenario,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    damage: Callable[[Path], None],
) -> None:
    whole = sweep(base, VARY, tmp_path, progress=False)
    damaged = parts(tmp_path)[1]
    damage(damaged)
    ran = []
    monkeypatch.setattr(
        sweeps, "simulate", lambda scenario, **rest: ran.append(scenario) or simulate(scenario)
    )
    healed = sweep(base, VARY, tmp_path, progress=False)
    assert [sweeps.key(scenario) for scenario in ran] == [damaged.name]
    for name, table in whole.tables.items():
        assert healed.tables[name].equals(table), name


def test_a_table_that_was_not_kept_before_is_run_again(base: Scenario, tmp_path: Path) -> None:
    grid = sweeps.points(base, VARY)
    first = sweeps.sweep_points(grid, tmp_path, tables=("runs",), progress=False)
    assert "flows" not in first.tables
    more = sweeps.sweep_points(grid, tmp_path, tables=("flows",), progress=False)
    assert more.flows["seed"].to_list() == [0, 1, 2]
    # What was kept before is not lost by that.
    assert all(store.Part(part).holds(["runs", "flows"]) for part in parts(tmp_path))


def test_changed_bytes_are_named_with_a_remedy(base: Scenario, tmp_path: Path) -> None:
    sweep(base, VARY, tmp_path, progress=False)
    broken = parts(tmp_path)[1] / "flows.parquet"
    broken.write_bytes(bytes(broken.stat().st_size))
    with pytest.raises(OutputError, match=rf"cannot read '{broken}'.*delete the folder"):
        sweep(base, VARY, tmp_path, progress=False)


LIMITED = """
import resource, signal
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from multihop.cli import main
main()
"""


def test_no_room_is_one_line_and_a_later_call_continues(tiny: Path, tmp_path: Path) -> None:
    arguments = ["sweep", str(tiny), "--vary", "seed=1-2", "--out", "out"]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
    )
    assert done.returncode == 2
    lines = [line for line in done.stderr.splitlines() if "error" in line]
    assert len(lines) == 1
    assert "cannot write to 'out/parts': File too large; make room there" in lines[0]
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "out" / "parts").iterdir()) == []
    again = subprocess.run(
        [sys.executable, "-m", "multihop", *arguments], cwd=tmp_path, timeout=60, check=False
    )
    assert again.returncode == 0
    assert len(parts(tmp_path / "out")) == 2


def test_a_sweep_that_stays_incomplete_exits_with_3(
    base: Scenario,
    tiny: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sweep(base, VARY, tmp_path, progress=False)
    for part in parts(tmp_path)[:2]:
        (part / "runs.parquet").unlink()
    # Somebody else's folders: they cannot be taken away.
    monkeypatch.setattr(store, "shutil", SimpleNamespace(rmtree=lambda *_, **__: None))
    with pytest.raises(IncompleteError, match="2 of 3 runs are missing"):
        sweep(base, VARY, tmp_path, progress=False)
    arguments = ["sweep", str(tiny), "--vary", "seed=0-2", "--out", str(tmp_path), "--json"]
    monkeypatch.setattr(sys, "argv", ["multihop", *arguments])
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "2 of 3 runs are missing" in printed.err


def test_a_shard_is_whole_when_its_own_runs_are_there(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["sweep", str(tiny), "--vary", "seed=1-4", "--out", str(tmp_path / "out")]
    assert not app([*arguments, "--shard", "1/2"], standalone_mode=False)
    assert "2 of 4 runs" in capsys.readouterr().out
    assert len(parts(tmp_path / "out")) == 2
    assert not (tmp_path / "out" / "runs.parquet").exists()
    assert not app([*arguments, "--shard", "2/2"], standalone_mode=False)
    assert (tmp_path / "out" / "runs.parquet").exists()


def test_two_builds_of_the_same_sources_share_a_store(tmp_path: Path) -> None:
    """Build scripts of two copies of the sources, somewhere else, say the same; see ADR 0027."""
    root = Path(__file__).resolve().parent.parent
    script = tmp_path / "build"
    subprocess.run(
        ["rustc", "--edition", "2024", "-o", script, root / "crates/python/build.rs"], check=True
    )

    def sources(tree: Path, **more: str) -> str:
        environment = {"CARGO_MANIFEST_DIR": str(tree / "crates/python"), **more}
        done = subprocess.run([script], env=environment, capture_output=True, text=True, check=True)
        return done.stdout.rpartition("MULTIHOP_SOURCES=")[2].strip()

    copy = tmp_path / "elsewhere"
    shutil.copytree(root / "crates", copy / "crates")
    shutil.copy(root / "Cargo.lock", copy)
    own = sources(root)
    assert sources(copy) == own
    assert sources(copy, CARGO_FEATURE_CHECKED="1") != own
    test = copy / "crates/sim/src/tests/mod.rs"
    test.write_text(f"{test.read_text()}// a test\n")
    assert sources(copy) == own
    for name in ("crates/schemes/src/udp/mod.rs", "crates/core/src/rng.rs", "Cargo.lock"):
        file = copy / name
        text = file.read_text()
        file.write_text(f"{text}# \n")
        assert sources(copy) != own, name
        file.write_text(text)
    assert sources(copy) == own
