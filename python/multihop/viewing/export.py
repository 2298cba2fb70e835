"""The page and its traces in one HTML file, which needs neither a server nor a network."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..engine.templates import rendered
from ..gallery import Lesson
from ..results.result import make_folder, replacing
from .folder import TraceFolder, app


def export(path: Path, told: dict[str, Any], folders: list[TraceFolder]) -> Path:
    """Write the file, whole or not at all."""
    make_folder(path.parent, "--export")
    with replacing(path, "--export") as temporary, temporary.open("w", encoding="utf-8") as file:
        file.writelines(_pieces(told, folders))
    return path


def _pieces(told: dict[str, Any], folders: list[TraceFolder]) -> Iterator[str]:
    page = app("index.html").decode()
    # The built page asks for its script and its style at the end of its head.
    before, _, rest = page.partition("<script")
    head_end, _, rest = rest[rest.index("</head>") :].partition("</body>")
    yield f"{before}<style>{app('viewer.css').decode()}</style>\n{head_end}"
    # No "<" within JSON, so that no text ends the element.
    listed = json.dumps(told).replace("<", "\\u003c")
    yield f'<script type="application/json" id="manifest">{listed}</script>\n'
    for folder in folders:
        for name, file in folder.files.items():
            data = b64encode(file.read_bytes()).decode()
            yield f'<script type="application/octet-stream" id="{escape(name)}">{data}</script>\n'
    # A module is run when all of the page has been read.
    script = app("viewer.js").decode().replace("</script", "<\\/script")
    yield f'<script type="module">{script}</script>\n</body>{rest}'


def export_gallery(lessons: Sequence[Lesson], folder: Path) -> Path:
    """Write an index of exported lessons, each of which stands beside it as NAME.html."""
    path = folder / "index.html"
    style = app("viewer.css").decode()
    with replacing(path, "--export") as temporary:
        text = rendered(__package__, "index.html", style=style, lessons=lessons)
        temporary.write_text(text, encoding="utf-8")
    return path
