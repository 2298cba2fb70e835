"""A tutorial can be followed: its commands, one after the other in one folder, and what they print.

    python -m tests.test_tutorial

writes what they print anew.
"""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Done, call
from tests.test_docs import (
    COLUMNS_OF_A_TERMINAL,
    COMMAND,
    CONSOLE,
    TUTORIALS,
    bare,
    normalized,
    renew,
)

pytestmark = pytest.mark.engine


# A file that the reader writes.
FILE = re.compile(
    r"Save this as `(?P<name>[\w.]+)`:\n\n```text\n(?P<text>.*?)^```$", re.M | re.DOTALL
)


def called(folder: Path, *arguments: str) -> Done:
    return call(folder, *arguments, columns=COLUMNS_OF_A_TERMINAL)


def followed(text: str, folder: Path, call: Callable[..., Done] = called) -> str:
    """Return the page with what its commands print, run by `call` in this folder.

    The files that its reader saves are there, too. A command that shows nothing in the page
    shows nothing here, either.
    """

    def command(found: re.Match[str]) -> str:
        program, *arguments = shlex.split(found["line"])
        assert program == "multihop", found["line"]
        done = call(folder, *arguments)
        assert done.returncode == 0, done.stderr
        return f"$ {found['line']}\n{bare(done.stdout) if found['output'] else ''}"

    for file in FILE.finditer(text):
        (folder / file["name"]).write_text(file["text"])
    return CONSOLE.sub(lambda block: COMMAND.sub(command, block[0]), text)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_can_be_followed(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert normalized(followed(text, tmp_path)) == normalized(text)


if __name__ == "__main__":
    import tempfile

    for page in TUTORIALS:
        with tempfile.TemporaryDirectory() as made:
            text = renew(page.read_text(encoding="utf-8"), with_commands=False)
            text = followed(text, Path(made))
        page.write_text(text, encoding="utf-8")
