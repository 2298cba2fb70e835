"""Small networks in files, and what became of them."""

import json
from pathlib import Path
from typing import Any

from multihop.meshes.measures import Measuring
from multihop.meshes.reading import read_mesh
from multihop.meshes.writing import Choices, Imported, scenario_of

Link = dict[str, Any]


def written(folder: Path, **files: Any) -> list[Path]:
    """Write files: text as it is, tables as JSON."""
    paths = []
    for name, content in files.items():
        paths.append(folder / name.replace("_", "."))
        text = content if isinstance(content, str) else json.dumps(content)
        paths[-1].write_text(text, encoding="utf-8")
    return paths


def imported(
    folder: Path,
    choices: Choices = Choices(),
    measuring: Measuring = Measuring(),
    **files: Any,
) -> Imported:
    """Write files of nodes and links, and import them."""
    nodes, *links = written(folder, **files)
    return scenario_of(read_mesh(nodes, links[0] if links else None, measuring), choices)


def tables(folder: Path, links: str, choices: Choices = Choices(), **how: Any) -> Imported:
    """Import a table of links between the nodes a, b, c and d."""
    return imported(folder, choices, Measuring(**how), n_csv="name\na\nb\nc\nd\n", l_csv=links)


def links(found: Imported) -> dict[tuple[str, str], Link]:
    """Return the links of a scenario by their ends."""
    listed = found.scenario.to_dict().get("link", [])
    return {(link.pop("from"), link.pop("to")): link for link in listed}


def deliveries(found: Imported) -> dict[str, float]:
    """Return what links deliver, as `ab` for that from a to b."""
    return {one + other: link["delivery"] for (one, other), link in links(found).items()}


def signals(found: Imported) -> dict[str, str]:
    """Return the received powers."""
    return {one + other: link["signal"] for (one, other), link in links(found).items()}


def nodes(found: Imported) -> dict[str, Any]:
    """Return the nodes of a scenario by their names."""
    return {node["name"]: node for node in found.scenario.to_dict()["node"]}
