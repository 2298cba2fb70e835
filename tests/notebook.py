"""Executes a notebook as Jupyter does, as far as the examples need it, without a kernel.

The cells run one after another in one process; what they print and the value of the last line
become outputs. Plain text alone would do in a test, but a notebook that is looked at without being
run needs its tables and pictures, too.
"""

import ast
import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

# What a value shows itself as, and the method that makes it.
MIMES = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}


def lines(text: str) -> list[str]:
    """Text as notebooks have it."""
    return text.splitlines(keepends=True)


def executed(notebook: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return a notebook with the outputs that its cells have when they run in a folder."""
    again: dict[str, Any] = json.loads(json.dumps(notebook))
    names: dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    os.chdir(folder)
    try:
        number = 0
        for cell in again["cells"]:
            if cell["cell_type"] == "code":
                number += 1
                cell["execution_count"] = number
                cell["outputs"] = _outputs("".join(cell["source"]), names, number)
    finally:
        os.chdir(before)
    return again


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"<cell {number}>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"<cell {number}>", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append(
            {"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())}
        )
    if value is not None:
        data = {
            mime: lines(getattr(value, method)())
            for mime, method in MIMES.items()
            if hasattr(value, method)
        }
        data["text/plain"] = lines(repr(value) if not data else f"<{type(value).__name__}>")
        outputs.append(
            {
                "output_type": "execute_result",
                "execution_count": number,
                "data": data,
                "metadata": {},
            }
        )
    return outputs
