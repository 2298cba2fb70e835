"""The example notebook runs, and what is stored in it is what it gives.

    python -m tests.test_notebook

writes its outputs anew.
"""

import json
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest

import multihop
from multihop import Result, Scenario
from tests.notebook import executed

NOTEBOOK = Path(__file__).resolve().parent.parent / "examples" / "overload.ipynb"


def stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return found


def outputs(notebook: dict[str, Any]) -> list[Any]:
    return [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def without_drawings(found: list[Any]) -> list[Any]:
    """What does not depend on the version of matplotlib; of a drawing, that there is one."""
    bare = json.loads(json.dumps(found))
    for data in (output.get("data", {}) for cell in bare for output in cell):
        if "image/svg+xml" in data:
            data["image/svg+xml"] = "<svg" in "".join(data["image/svg+xml"])
    return list(bare)


@pytest.mark.long
def test_the_notebook_gives_what_is_stored_in_it(tmp_path: Path) -> None:
    notebook = stored()
    again = outputs(executed(notebook, tmp_path))
    assert without_drawings(again) == without_drawings(outputs(notebook))
    assert (tmp_path / "delay.pdf").exists()


def test_the_notebook_has_the_form_that_jupyter_reads() -> None:
    notebook = stored()
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    for cell in notebook["cells"]:
        wanted = {"cell_type", "id", "metadata", "source"}
        more = {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        assert set(cell) == wanted | more
    shown = [out["data"] for all_of in outputs(notebook) for out in all_of if "data" in out]
    assert any("image/svg+xml" in data for data in shown)
    assert any("text/html" in data for data in shown)


def test_an_error_in_a_cell_is_one_of_the_test(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": ["1 / 0"], "outputs": []}
    with pytest.raises(ZeroDivisionError):
        executed({"cells": [cell]}, tmp_path)


def cells(html: str) -> list[list[str]]:
    """Rows of the table in some HTML, which has to be well-formed."""
    tree = ElementTree.fromstring(f"<div>{html}</div>")
    return [["".join(cell.itertext()) for cell in row] for row in tree.iter("tr")]


def test_a_run_shows_its_flows(base: Scenario) -> None:
    html = multihop.run(base)._repr_html_()
    assert "tiny, cxcc, seed 1: goodput" in html
    titles, row = cells(html)
    words = ["name", "hops", "offered", "lost", "delivered", "goodput (kbit/s)"]
    assert titles == [*words, "network delay (ms)", "end-to-end delay (ms)"]
    assert row[:2] == ["n0->n3", "3"]
    assert "<code>series</code>" in html


def test_a_sweep_shows_means_over_the_seeds(base: Scenario, tmp_path: Path) -> None:
    grid = {"traffic.load": ["20 kbit/s", "50 kbit/s"], "seed": [1, 2, 3]}
    result = multihop.sweep(base, grid, tmp_path, progress=False)
    titles, first, second = cells(result._repr_html_())
    delays = ["network delay (ms)", "end-to-end delay (ms)"]
    assert titles == ["load", "runs", "goodput (kbit/s)", *delays, "overhead (B/B)"]
    assert first[:2] == ["20 kbit/s", "3"]
    assert second[:2] == ["50 kbit/s", "3"]
    mean = result.runs.filter(**{"traffic.load": "20 kbit/s"})["goodput_bit_s"].to_numpy().mean()
    assert first[2].startswith(f"{mean / 1e3:.1f} [")


def test_many_rows_are_counted_and_names_are_no_markup(base: Scenario) -> None:
    run = multihop.run(base)
    many = pl.concat([run.runs.with_columns(**{"a.<b>": pl.lit(at)}) for at in range(30)])
    html = Result({"runs": many})._repr_html_()
    assert "... and 10 more" in html
    assert cells(html)[0][0] == "<b>"
    nameless = Result({"runs": run.runs.clear(), "flows": run.flows})
    assert nameless._repr_html_() == "<p>no runs</p>"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        text = json.dumps(executed(stored(), Path(folder)), indent=1, ensure_ascii=False)
    NOTEBOOK.write_text(text + "\n", encoding="utf-8")
