#!/usr/bin/env python3
"""Make a release: one version everywhere, and everything that is published, in `dist/release`.

    python packaging/release.py version 0.2.0    write the version, close the changelog's section
    python packaging/release.py build            build what is published (or `build wheels docs`)

Nothing is sent anywhere, committed or tagged. A part whose tool is missing ends the build with the
command that installs it.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.compile(r"\d+\.\d+\.\d+")
UNRELEASED = "## [Unreleased]\n"
# A target of Rust, and the wheels' platform with it: glibc 2.17 or newer.
WHEELS = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu")
STATIC = ("x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl")
PROGRAMS = ("multihop-node", "multihop-ether")
LICENCES = ("LICENSE", "LICENSE-MIT", "LICENSE-APACHE")


class ReleaseError(Exception):
    """A release cannot be made like that; the message says what to do."""


# ---- one version everywhere ------------------------------------------------------------------


def set_version(root: Path, version: str, day: datetime.date) -> list[Path]:
    """Write a version into every file that has one, and return these files.

    Raises:
        ReleaseError: If it is no version such as 0.2.0, or if the changelog has nothing for it.

    """
    if not VERSION.fullmatch(version):
        raise ReleaseError(f"'{version}' is no version; give three numbers, as in 0.2.0")
    old = _one(r'^version = "(.*)"$', root / "Cargo.toml")
    changed = {root / "CHANGELOG.md": _closed(root / "CHANGELOG.md", version, day)}
    for path in (root / "Cargo.toml", *sorted(root.glob("packages/*/pyproject.toml"))):
        changed[path] = path.read_text().replace(f'version = "{old}"', f'version = "{version}"')
    citation = root / "CITATION.cff"
    text = re.sub(r"^version: .*$", f"version: {version}", citation.read_text(), flags=re.M)
    changed[citation] = text
    for path, text in changed.items():
        path.write_text(text)
    return list(changed)


def _one(pattern: str, path: Path) -> str:
    found = re.search(pattern, path.read_text(), re.MULTILINE)
    if not found:
        raise ReleaseError(f"{path}: there is no line {pattern}")
    return found[1]


def _closed(changelog: Path, version: str, day: datetime.date) -> str:
    """Return the changelog with its open section as that of the version."""
    text = changelog.read_text()
    if f"## [{version}]" in text:
        raise ReleaseError(f"{changelog}: {version} has its section already; give the next version")
    before, found, behind = text.partition(UNRELEASED)
    if not found or not behind.partition("\n## [")[0].strip():
        raise ReleaseError(
            f"{changelog}: nothing stands under {UNRELEASED.strip()}; say what changed"
        )
    return f"{before}{UNRELEASED}\n## [{version}] - {day}\n{behind}"


# ---- what is published -----------------------------------------------------------------------


def run(*command: str | Path) -> None:
    """Run a command in the tree; its failure ends the build."""
    line = [str(word) for word in command]
    print("$", *line, flush=True)
    if shutil.which(line[0]) is None:
        raise ReleaseError(f"there is no {line[0]}; {INSTALLED_BY.get(line[0], 'install it')}")
    # Maturin asks the first `python3` of the path for Zig.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if subprocess.run(line, cwd=ROOT, env={**os.environ, "PATH": path}).returncode:
        raise ReleaseError(f"this failed: {' '.join(line)}")


INSTALLED_BY = {
    "rustup": "see https://rustup.rs",
    "npm": "apt-get install npm",
}


def maturin(*arguments: str | Path) -> None:
    """Run maturin of this interpreter."""
    run(sys.executable, "-m", "maturin", *arguments)


def source(out: Path) -> None:
    """Build the source distribution."""
    maturin("sdist", "--out", out)


def wheels(out: Path) -> None:
    """Build wheels: of the package for both processors, linked by Zig, and of what is Python."""
    run(sys.executable, "-m", "pip", "install", "--quiet", "ziglang")
    # The module of the playground, which a wheel takes along.
    run("make", "web")
    for target in WHEELS:
        run("rustup", "target", "add", target)
        maturin(
            "build",
            "--release",
            "--zig",
            "--target",
            target,
            "--compatibility",
            "manylinux2014",
            "--out",
            out,
        )
    pure = ("pip", "wheel", "--quiet", "--no-deps", "--wheel-dir")
    run(sys.executable, "-m", *pure, out, "./packages/papers", "./packages/validation")


def programs(out: Path) -> None:
    """Build static programs for Linux, an archive for each processor, with the licences."""
    run("make", "linux-static")
    for target in STATIC:
        folder = out / f"multihop-linux-{target.partition('-')[0]}"
        folder.mkdir(parents=True)
        for program in PROGRAMS:
            shutil.copy2(ROOT / "target" / target / "release" / program, folder)
        for licence in LICENCES:
            shutil.copy2(ROOT / licence, folder)
        shutil.make_archive(str(folder), "gztar", out, folder.name)
        shutil.rmtree(folder)


def packages(out: Path) -> None:
    """Build Debian packages of the programs."""
    run("make", "deb-x86_64", "deb-aarch64")
    for package in (ROOT / "target" / "debian").glob("*.deb"):
        shutil.copy2(package, out)


def docs(out: Path) -> None:
    """Build the documentation as an archive."""
    run("make", "docs")
    shutil.make_archive(str(out / "multihop-docs"), "zip", ROOT / "dist" / "docs")


def playground(out: Path) -> None:
    """Build the playground for a web server as an archive."""
    run("make", "site")
    shutil.make_archive(str(out / "multihop-playground"), "zip", ROOT / "dist" / "site")


def components(out: Path) -> None:
    """List all of others that is shipped, with its licence: a bill of materials, CycloneDX 1.5."""
    parts = sorted({*crates(), *scripts()})
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "multihop"}},
        "components": [
            {
                "type": "library",
                "name": name,
                "version": version,
                "purl": f"pkg:{kind}/{name}@{version}",
                "licenses": [{"expression": licence}],
            }
            for kind, name, version, licence in parts
        ],
    }
    (out / "multihop.cdx.json").write_text(json.dumps(bill, indent=2) + "\n")


Component = tuple[str, str, str, str]


def crates() -> Iterator[Component]:
    """Yield the crates that the engine and the programs are linked with.

    Raises:
        ReleaseError: If one does not say its licence.

    """
    line = ("cargo", "metadata", "--format-version", "1", "--locked")
    found = json.loads(subprocess.run(line, cwd=ROOT, capture_output=True, check=True).stdout)
    shipped = _shipped(found)
    for package in found["packages"]:
        if package["source"] is None or package["id"] not in shipped:
            continue
        if not package["license"]:
            raise ReleaseError(f"the crate {package['name']} does not say its licence; look at it")
        yield "cargo", package["name"], package["version"], package["license"].replace("/", " OR ")


def _shipped(metadata: dict[str, object]) -> set[str]:
    """Return the crates that are linked with those of the workspace: no tests, no build scripts."""
    resolve: dict[str, list[dict[str, list[dict[str, object]]]]] = metadata["resolve"]  # type: ignore[assignment]
    needs = {
        str(node["id"]): [
            str(need["pkg"])
            for need in node["deps"]
            if any(kind["kind"] is None for kind in need["dep_kinds"])  # type: ignore[attr-defined]
        ]
        for node in resolve["nodes"]
    }
    waiting, found = [str(member) for member in metadata["workspace_members"]], set()  # type: ignore[attr-defined]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += needs[one]
    return found


def scripts() -> Iterator[Component]:
    """Yield the packages that are in the pages of the viewer and the playground."""
    lock = json.loads((ROOT / "viewer" / "package-lock.json").read_text())
    for path, package in lock["packages"].items():
        if path and not package.get("dev") and not package.get("optional"):
            name = path.rpartition("node_modules/")[2]
            yield "npm", name, package["version"], package["license"]


def sums(out: Path) -> None:
    """Write the checksums of all that is there."""
    files = sorted(path for path in out.iterdir() if path.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (out / "SHA256SUMS").write_text("".join(lines))


PARTS: dict[str, Callable[[Path], None]] = {
    one.__name__: one for one in (source, wheels, programs, packages, docs, playground, components)
}


def build(names: list[str], out: Path) -> None:
    """Build these parts, or all, and their checksums.

    Raises:
        ReleaseError: If there is no such part, or if one cannot be built.

    """
    unknown = set(names) - set(PARTS)
    if unknown:
        raise ReleaseError(f"there is no part '{min(unknown)}'; there are: {', '.join(PARTS)}")
    out.mkdir(parents=True, exist_ok=True)
    for name in names or PARTS:
        PARTS[name](out)
    sums(out)


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("version").add_argument("version")
    building = commands.add_parser("build")
    building.add_argument("parts", nargs="*", metavar=f"[{'|'.join(PARTS)}]")
    building.add_argument("--out", type=Path, default=ROOT / "dist" / "release")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "version":
            for path in set_version(ROOT, chosen.version, datetime.date.today()):
                print(path.relative_to(ROOT))
        else:
            build(chosen.parts, chosen.out.resolve())
    except ReleaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
