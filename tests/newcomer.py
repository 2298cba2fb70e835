"""Follow the tutorials with a package that was installed from its wheel: `make newcomer`.

python -m tests.newcomer ENVIRONMENT/bin

Exits with 1 if a command fails, or prints something else than the page says.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.conftest import Done
from tests.test_docs import COLUMNS_OF_A_TERMINAL, TUTORIALS, normalized
from tests.test_tutorial import followed


def main(programs: Path) -> int:
    """Follow each tutorial in a folder of its own; the environment's programs are found first."""

    def call(folder: Path, *arguments: str) -> Done:
        done = subprocess.run(
            [programs / "multihop", *arguments],
            cwd=folder,
            env={**bare, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
            capture_output=True,
            text=True,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    inherited = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    bare = {**inherited, "COLUMNS": str(COLUMNS_OF_A_TERMINAL)}
    for page in TUTORIALS:
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as made:
            if normalized(followed(text, Path(made), call)) != normalized(text):
                print(f"error: commands print something else than {page} says", file=sys.stderr)
                return 1
        print(f"{page.name} can be followed")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
