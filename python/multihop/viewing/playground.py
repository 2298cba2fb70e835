"""The playground: scenarios are changed, run and shared in the browser.

The page has the engine as a WebAssembly module, which is built and not committed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from .. import _multihop
from ..engine.errors import OutputError
from ..engine.templates import rendered
from ..gallery import Course
from ..results.result import explained, make_folder, replacing
from .folder import app

HERE = Path(__file__).parent
MODULE = HERE / "engine.wasm"
# The files of the page beside those of every replay.
FILES = ("playground.js", "playground.css", "worker.js")
PAGE = ("viewer.js", "viewer.css", *FILES)
# What a page of a static site may load and run. A header is not needed then.
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'"
)


def module() -> Path:
    """Return the engine's module, or say how it is built."""
    if not MODULE.is_file():
        raise OutputError(
            f"'{MODULE}' is missing: the playground needs the engine as a WebAssembly module; "
            "build it with 'make web' (Rust with rustup), or install a wheel that has it"
        )
    return MODULE


def templates() -> list[dict[str, str]]:
    """Return the scenarios to begin with: those of the page, the examples, and of questions."""
    own = sorted((HERE / "starts").glob("*.toml"))
    examples = sorted((HERE.parent / "scenarios").glob("*.toml"))
    questions = sorted((HERE / "questions").glob("*.toml"))
    return [
        {"name": path.stem, "title": title, "text": path.read_text(encoding="utf-8")}
        for paths, kind in ((own, ""), (examples, "example: "), (questions, "question: "))
        for path in paths
        for title in [kind + path.stem.lstrip("0123456789-").replace("-", " ")]
    ]


def playground(course: Course) -> dict[str, Any]:
    """Return all that the page is told; its lessons are files beside it."""
    return {
        "title": "playground",
        "runs": [],
        "templates": templates(),
        "lessons": course.listed(),
    }


def write_site(
    folder: Path, course: Course, *, first: bool = False, option: str = "--export"
) -> Path:
    """Write a folder that any web server can serve, from any path. Returns its page.

    With `first` it opens with the lessons, else with the playground. `option` names the folder.
    """
    make_folder(folder, option)
    # It keeps itself in the browser, for times without a network.
    told = {**playground(course), "offline": True, "lessonsFirst": first}
    page = app("index.html").decode()
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    contents = {
        "index.html": page.replace("<head>", f"<head>\n{policy}", 1).encode(),
        "manifest.json": json.dumps(told).encode(),
        "engine.wasm": module().read_bytes(),
        **{name: app(name) for name in PAGE},
        **course.files(),
    }
    digest = hashlib.sha256()
    for name, content in sorted(contents.items()):
        digest.update(name.encode() + b"\0" + content)
    kept = [".", *(name for name in contents if name != "index.html")]
    name = f"multihop-{_multihop.version}-{digest.hexdigest()[:12]}"
    contents["sw.js"] = rendered(__package__, "sw.js", name=name, files=kept).encode()
    with explained(folder, option):
        for file, content in contents.items():
            make_folder((folder / file).parent, option)
            with replacing(folder / file, option) as temporary:
                temporary.write_bytes(content)
    return folder / "index.html"
