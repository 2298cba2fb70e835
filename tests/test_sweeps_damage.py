"""What a crash, a full disk or a careless hand leaves of a sweep: run again, or named."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from multihop import IncompleteError, OutputError, Scenario, sweep
from multihop.cli import app
from multihop.sweeping import store
from multihop.sweeping.parts import MANIFEST
from tests.conftest import Cli
from tests.sweeping import Counted, held, stored

VARY = {"seed": range(3)}


def parts(out: Path) -> list[Path]:
    return sorted((out / "parts").iterdir())


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


DAMAGE: dict[str, Callable[[Path], None]] = {
    "a table is gone": lambda part: (part / "flows.parquet").unlink(),
    "a table is empty": lambda part: (part / "runs.parquet").write_bytes(b""),
    "a table is cut": lambda part: truncate(part / "nodes.parquet"),
    "nobody knows what there was": lambda part: (part / MANIFEST).unlink(),
    "what there was is cut": lambda part: truncate(part / MANIFEST),
    "what there was is nonsense": lambda part: (part / MANIFEST).write_text("[1, 2]"),
    "what there was is too deep": lambda part: (part / MANIFEST).write_text("[" * 100_000),
    "what there was is endless": lambda part: (part / MANIFEST).write_text(
        '{"runs": [], "tables": [], "sizes": {"runs": 1e999}, "seconds": 1}'
    ),
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
    runs = held(tmp_path).parts[damaged.name].runs
    damage(damaged)
    counted = Counted(monkeypatch)
    healed = sweep(base, VARY, tmp_path, progress=False)
    assert sorted(counted.runs) == sorted(runs)
    assert sorted(stored(tmp_path)) == sorted(whole.runs["run"])
    for name, table in whole.tables.items():
        assert healed.tables[name].equals(table), name


def test_changed_bytes_are_named_with_a_remedy(base: Scenario, tmp_path: Path) -> None:
    sweep(base, VARY, tmp_path, progress=False)
    broken = parts(tmp_path)[1] / "flows.parquet"
    broken.write_bytes(bytes(broken.stat().st_size))
    with pytest.raises(OutputError, match=rf"cannot read '{broken}'.*delete the folder"):
        sweep(base, VARY, tmp_path, progress=False)


POINTS: dict[str, Callable[[Path], object]] = {
    "empty": lambda file: file.write_bytes(b""),
    "cut": truncate,
    "another table": lambda file: pl.DataFrame({"a": [1]}).write_parquet(file),
    "without rows": lambda file: pl.read_parquet(file).clear().write_parquet(file),
}


@pytest.mark.parametrize("damage", POINTS.values(), ids=POINTS)
@pytest.mark.parametrize(
    "command",
    [
        ("status", "out"),
        ("collect", "out"),
        ("collect", "new", "out"),
        ("compare", "out"),
        ("figure", "out", "--x", "seed", "--y", "goodput"),
        ("sweep", "tiny.toml", "--vary", "seed=0-2", "--out", "out"),
    ],
    ids=" ".join,
)
def test_a_damaged_list_of_runs_is_named_with_a_remedy(
    cli: Cli, tiny: Path, damage: Callable[[Path], object], command: tuple[str, ...]
) -> None:
    again = ("sweep", tiny, "--vary", "seed=0-2", "--out", "out")
    assert cli(*again).returncode == 0
    (file,) = (tiny.parent / "out" / "points").iterdir()
    damage(file)
    done = cli(*command)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: cannot read 'out/points/{file.name}': ")
    assert done.stderr.endswith("; delete it and give the command of the sweep again\n")
    assert done.stderr.count("\n") == 1
    file.unlink()
    assert cli(*again).returncode == 0
    assert cli("status", "out").returncode == 0


def test_what_is_missing_or_nonsense_beside_the_parts_does_no_harm(cli: Cli, tiny: Path) -> None:
    assert cli("sweep", tiny, "--out", "out").returncode == 0
    out = tiny.parent / "out"
    (out / "failed" / "a.json").write_text("[1]")
    (out / "failed" / "b.json").write_text("[" * 100_000)
    (out / "claims" / "a.json").write_text("[" * 100_000)
    assert cli("status", "out").returncode == 0
    assert cli("collect", "new", "out").returncode == 0
    shutil.rmtree(out / "parts")
    assert cli("collect", "out").returncode == 3
    assert cli("sweep", tiny, "--out", "out").returncode == 0


def test_a_store_of_another_version_is_refused(base: Scenario, tmp_path: Path) -> None:
    older, newer = tmp_path / "older", tmp_path / "newer"
    (older / "parts" / "0123").mkdir(parents=True)
    sweep(base, VARY, newer, progress=False)
    (newer / store.ABOUT).write_text('{"format": 99}')
    for folder, form in ((older, "unknown"), (newer, "99")):
        with pytest.raises(OutputError, match=f"another version of multihop.*form {form}.*--out"):
            sweep(base, VARY, folder, progress=False)


LIMITED = """
import resource, signal
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from multihop.cli import main
main()
"""


@pytest.mark.long
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
    assert "cannot write to 'out" in lines[0]
    assert "File too large; make room there" in lines[0]
    assert "Traceback" not in done.stderr
    assert parts(tmp_path / "out") == []
    again = subprocess.run(
        [sys.executable, "-m", "multihop", *arguments], cwd=tmp_path, timeout=60, check=False
    )
    assert again.returncode == 0
    assert len(stored(tmp_path / "out")) == 2


def test_parts_that_cannot_be_taken_away_are_an_error(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep(base, VARY, tmp_path, progress=False)
    (parts(tmp_path)[0] / "runs.parquet").unlink()
    # Somebody else's folders.
    monkeypatch.setattr(store.shutil, "rmtree", lambda *_, **__: None)
    with pytest.raises(IncompleteError, match=r"runs are missing: 1 parts in .* are damaged"):
        sweep(base, VARY, tmp_path, progress=False)


def test_a_shard_is_whole_when_its_own_runs_are_there(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["sweep", str(tiny), "--vary", "seed=1-4", "--out", str(tmp_path / "out")]
    assert not app([*arguments, "--shard", "1/2"], standalone_mode=False)
    assert "2 of 4 runs" in capsys.readouterr().out
    assert len(stored(tmp_path / "out")) == 2
    assert not (tmp_path / "out" / "runs.parquet").exists()
    assert not app([*arguments, "--shard", "2/2"], standalone_mode=False)
    assert (tmp_path / "out" / "runs.parquet").exists()


# Runs of a tenth of a second or so: a process is in the middle of them when it is killed.
SLOW = {"duration": "300 s"}
KILLED = """
from multihop import Scenario, sweep
import sys
base = Scenario(sys.argv[1]).with_(duration="300 s")
sweep(base, {"seed": range(int(sys.argv[3]))}, sys.argv[2], workers=1, progress=False)
"""


def begin(base: Scenario, out: Path, runs: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", KILLED, base.json, str(out), str(runs)])


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.long
def test_killed_at_any_time_nothing_is_wrong_lost_or_doubled(
    base: Scenario, tmp_path: Path
) -> None:
    runs, out = 40, tmp_path / "out"
    for kept in (1, 3):  # killed with a claim, when some parts are there
        process = begin(base, out, runs)
        until(lambda kept=kept: len(stored(out)) >= kept and any((out / "claims").glob("*.json")))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert len(stored(out)) < runs
    before = stored(out)
    # What it had begun to write, as if it had been killed right then.
    half = out / "claims" / "feedfeed"
    half.mkdir()
    (half / "runs.parquet").write_bytes(b"PAR1")
    half.with_suffix(".json").write_text(json.dumps({"runs": before}))
    (out / "claims" / "beefbeef").mkdir()
    result = sweep(base.with_(**SLOW), {"seed": range(runs)}, out, progress=False)
    after = stored(out)
    assert set(before) < set(after)
    assert len(after) == len(set(after)) == runs
    assert not list((out / "claims").iterdir())
    fresh = sweep(base.with_(**SLOW), {"seed": range(runs)}, tmp_path / "fresh", progress=False)
    for name, table in fresh.tables.items():
        assert result.tables[name].equals(table), name


@pytest.mark.long
def test_two_at_once_share_the_work(base: Scenario, tmp_path: Path) -> None:
    runs, out = 40, tmp_path / "out"
    both = [begin(base, out, runs) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    after = stored(out)
    assert len(after) == len(set(after)) == runs
    whole = pl.read_parquet(out / "runs.parquet")
    assert whole["seed"].to_list() == list(range(runs))


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
