"""What the package says of itself."""

import re
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.engine

ROOT = Path(__file__).resolve().parent.parent
PAPERS = ("CXCC", "HxH", "LECN", "WXCP", "CL")


def test_the_citation_has_the_version_and_every_paper() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    assert re.search(rf"^version: {re.escape(version)}$", text, re.MULTILINE)
    assert tuple(re.findall(r"^    notes: (\w+)$", text, re.MULTILINE)) == PAPERS


def test_the_distributions_beside_it_have_its_version_and_licence() -> None:
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
    for path in sorted((ROOT / "packages").glob("*/pyproject.toml")):
        project = tomllib.loads(path.read_text())["project"]
        assert project["version"] == workspace["version"], path
        assert project["license"]["text"] == workspace["license"], path
        assert project["dependencies"][0] == "multihop", path


def test_urls_and_licences_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
    urls = project["project"]["urls"].values()
    assert all(url.startswith(workspace["repository"]) for url in urls)
    assert project["project"]["license"] == workspace["license"]
    # The wheel has the examples: maturin does not follow the link by itself.
    scenarios = "python/multihop/scenarios"
    module = {"path": "python/multihop/viewing/engine.wasm", "format": "wheel"}
    included = [module, f"{scenarios}/*.toml", f"{scenarios}/prototypes/*.py"]
    assert project["tool"]["maturin"]["include"] == included
    link = ROOT / "python" / "multihop" / "scenarios"
    assert link.resolve() == ROOT / "examples"
    assert project["tool"]["maturin"]["python-source"] == "python"


WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]
# The crates that are published: name and manifest.
CRATES = {
    path.parent: manifest
    for path in sorted((ROOT / "crates").glob("*/Cargo.toml"))
    if (manifest := tomllib.loads(path.read_text()))["package"].get("publish", True)
}


@pytest.mark.parametrize("folder", CRATES, ids=lambda folder: folder.name)
def test_a_published_crate_says_what_the_registry_shows(folder: Path) -> None:
    package = CRATES[folder]["package"]
    assert package["description"]
    assert 1 <= len(package["keywords"]) <= 5
    assert all(len(word) <= 20 for word in package["keywords"])
    assert package["categories"]
    readme = (folder / package["readme"]).read_text(encoding="utf-8")
    assert readme.startswith(f"# {package['name']}\n")
    assert WORKSPACE["package"]["repository"] in readme
    # Its example is compiled and run with the tests of the documentation.
    assert "```rust\n" in readme
    assert '#[doc = include_str!("../README.md")]' in (folder / "src" / "lib.rs").read_text()


def test_published_crates_need_each_other_by_version() -> None:
    ours = {name: of for name, of in WORKSPACE["dependencies"].items() if "path" in of}
    versions = {name: of["version"] for name, of in ours.items() if "version" in of}
    assert set(versions) == {manifest["package"]["name"] for manifest in CRATES.values()}
    assert set(versions.values()) == {WORKSPACE["package"]["version"]}


@pytest.mark.parametrize("folder", CRATES, ids=lambda folder: folder.name)
def test_tests_need_siblings_by_path_only(folder: Path) -> None:
    # One with a version would have to be published before this crate, which it may itself need.
    for name, of in CRATES[folder].get("dev-dependencies", {}).items():
        if name.startswith("multihop-"):
            of = WORKSPACE["dependencies"][name] if "workspace" in of else of
            assert set(of) == {"path"}, name
