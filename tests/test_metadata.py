"""What the package says of itself."""

import re
import tomllib
from pathlib import Path

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
    included = [f"{scenarios}/*.toml", f"{scenarios}/prototypes/*.py"]
    assert project["tool"]["maturin"]["include"] == included
    link = ROOT / "python" / "multihop" / "scenarios"
    assert link.resolve() == ROOT / "examples"
    assert project["tool"]["maturin"]["python-source"] == "python"
