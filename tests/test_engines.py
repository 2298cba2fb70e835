"""An outside package may bring an engine of its own (examples/outside/wheel)."""

import os
import subprocess
import sys
from pathlib import Path

import multihop

PACKAGES = Path(multihop.__file__).parents[1]


def install(folder: Path, name: str) -> None:
    """Install a package whose engine knows its own name only."""
    (folder / f"{name}.py").write_text(f"version = '{name}'\n")
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[multihop.engines]\n{name} = {name}\n")


def run(code: str, *folders: Path) -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join(map(str, (*folders, PACKAGES)))
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_installed_engine_takes_the_place_of_the_one_in_here(tmp_path: Path) -> None:
    ask = "import multihop; from multihop import _multihop; print(multihop.__version__, _multihop)"
    own = run(ask)
    assert own.stdout.startswith(multihop.__version__), own.stderr
    install(tmp_path, "theirs")
    other = run(ask, tmp_path)
    assert other.stdout.startswith("theirs <module 'theirs'"), other.stderr


def test_of_two_engines_none_is_taken(tmp_path: Path) -> None:
    install(tmp_path, "theirs")
    install(tmp_path, "yours")
    done = run("import multihop", tmp_path)
    assert done.returncode == 1
    assert "uninstall all but one: theirs (theirs), yours (yours)" in done.stderr
