"""Releases: one version everywhere, and a list of all that is shipped with its licence."""

import datetime
import importlib.util
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
DAY = datetime.date(2027, 1, 2)
FILES = [
    *("Cargo.toml", "CHANGELOG.md", "CITATION.cff"),
    *("packages/papers/pyproject.toml", "packages/validation/pyproject.toml"),
]

pytestmark = pytest.mark.engine


def loaded() -> Any:
    spec = importlib.util.spec_from_file_location("release", ROOT / "packaging" / "release.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release = loaded()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_a_version_is_the_same_everywhere(tree: Path) -> None:
    old = release._one(r'^version = "(.*)"$', tree / "Cargo.toml")
    changed = release.set_version(tree, "7.8.9", DAY)
    assert {str(path.relative_to(tree)) for path in changed} == set(FILES)
    for name in FILES:
        assert "7.8.9" in (tree / name).read_text(), name
    cargo = (tree / "Cargo.toml").read_text()
    assert f'version = "{old}"' not in cargo
    crates = (ROOT / "Cargo.toml").read_text().count(f'", version = "{old}" }}')
    assert cargo.count('", version = "7.8.9" }') == crates > 5


def test_every_file_that_has_the_version_is_known() -> None:
    old = release._one(r'^version = "(.*)"$', ROOT / "Cargo.toml")
    line = rf'^version( = "|: ){old}'
    found = subprocess.run(
        ["git", "grep", "-lE", line], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    # Cargo writes its locks; the outside crate has a version of its own.
    others = [name for name in found if name.endswith(".lock") or name.startswith("examples/")]
    assert set(found) - set(others) <= set(FILES)


def test_the_changelog_has_a_section_and_an_open_one(tree: Path) -> None:
    before = (tree / "CHANGELOG.md").read_text().partition(release.UNRELEASED)[2]
    release.set_version(tree, "7.8.9", DAY)
    behind = (tree / "CHANGELOG.md").read_text().partition(release.UNRELEASED)[2]
    assert behind == f"\n## [7.8.9] - 2027-01-02\n{before}"
    with pytest.raises(release.ReleaseError, match=r"7\.8\.9 has its section already"):
        release.set_version(tree, "7.8.9", DAY)
    with pytest.raises(release.ReleaseError, match=r"nothing stands under ## \[Unreleased\]"):
        release.set_version(tree, "7.9.0", DAY)


@pytest.mark.parametrize("version", ["1", "v0.2.0", "0.2.0rc1", ""])
def test_what_is_no_version_changes_nothing(tree: Path, version: str) -> None:
    before = {name: (tree / name).read_bytes() for name in FILES}
    with pytest.raises(release.ReleaseError, match="give three numbers"):
        release.set_version(tree, version, DAY)
    assert {name: (tree / name).read_bytes() for name in FILES} == before


def test_all_that_is_shipped_is_listed_with_its_licence(tmp_path: Path) -> None:
    assert release.main(["build", "components", "--out", str(tmp_path)]) == 0
    bill = json.loads((tmp_path / "multihop.cdx.json").read_text())
    listed = {part["purl"]: part["licenses"][0]["expression"] for part in bill["components"]}
    assert all(listed.values())
    names = {purl.partition("@")[0] for purl in listed}
    assert {"pkg:cargo/serde", "pkg:npm/lit", "pkg:cargo/arrow-array"} & names
    assert not {"pkg:cargo/proptest", "pkg:npm/vitest"} & names
    # Nothing that would bind the licence of what is shipped.
    free = ("MIT", "Apache-2.0", "BSD", "ISC", "Unlicense", "Unicode", "Zlib", "CC0")
    assert [one for one in listed.items() if not any(name in one[1] for name in free)] == []
    summed = (tmp_path / "SHA256SUMS").read_text()
    assert summed.endswith("  multihop.cdx.json\n")


def test_a_part_that_there_is_not_is_an_error(tmp_path: Path, capsys: Any) -> None:
    assert release.main(["build", "bottles", "--out", str(tmp_path / "out")]) == 1
    assert "there is no part 'bottles'; there are: source, wheels" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
