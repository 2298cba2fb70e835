"""Papers are plug-ins: who is installed is found, and who is missing is named."""

import subprocess
import sys
from pathlib import Path

import pytest

from multihop.engine.errors import MissingExtraError
from multihop.reproducing import registry
from multihop.reproducing.reproduction import figures_table, select

MINE = '''
"""My papers."""
from . import ours

PAPERS = (ours,)
'''
OURS = '''
"""A paper of ours.

A. Author: On a queue. Journal of Queues 1(1), 2026.
"""
from multihop.reproducing.spec import Row

FIGURES = ()
ROWS = (Row(("ours/fig1",), "a queue"),)
'''


def test_papers_of_an_outside_package_are_found(tmp_path: Path) -> None:
    package, about = tmp_path / "mine", tmp_path / "mine-1.0.dist-info"
    package.mkdir()
    about.mkdir()
    (package / "__init__.py").write_text(MINE)
    (package / "ours.py").write_text(OURS)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[multihop.papers]\nmine = mine\n")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from multihop.reproducing.registry import ABOUT, CITATIONS, ROWS\n"
        "print(ABOUT['ours'], 'ours' in CITATIONS, ROWS[0].ids, 'cxcc' in CITATIONS)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    found = "A. Author: On a queue. Journal of Queues 1(1), 2026. True ('ours/fig1',) True\n"
    assert done.stdout == found, done.stderr


def test_without_papers_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert select(["cxcc/fig8"])
    monkeypatch.setattr(registry, "FIGURES", ())
    with pytest.raises(MissingExtraError, match="pip install multihop-papers, or install a"):
        select(["cxcc/fig8"])
    with pytest.raises(MissingExtraError, match="no papers are installed"):
        figures_table()
    monkeypatch.setattr(registry, "TESTBEDS", "no.such.group")
    with pytest.raises(MissingExtraError, match="'fig22' is not installed: pip install"):
        registry.testbed("fig22")


def test_own_schemes_are_reproduced_and_are_no_papers() -> None:
    assert set(registry.ABOUT) - set(registry.CITATIONS) == {
        "wake",
        "compare",
        "today",
        "spots",
        "lora",
    }
