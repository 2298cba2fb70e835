"""A mesh to begin with: a commented scenario of random places with a mesh's default traffic."""

from __future__ import annotations

import math
from importlib.resources import files
from pathlib import Path

from ..engine.errors import MeshError
from ..scenario.examples import write_text
from .presets import mesh_preset, reach_m
from .writing import of_setting

TEMPLATE = "template.toml"
# So many others a node hears on average: enough that nobody is alone.
NEIGHBOURS = 10.0
MOST_NODES, MOST_HOPS = 10_000, 7


def write_mesh(
    path: Path | None,
    mesh: str,
    *,
    nodes: int = 50,
    preset: str | None = None,
    hop_limit: int = 3,
    routers: float = 0.0,
) -> Path:
    """Write a commented scenario of a mesh that runs at once; no file is replaced.

    `routers` is the share of nodes that have this role, in percent.
    """
    radio = mesh_preset(mesh, preset)
    if not 2 <= nodes <= MOST_NODES:
        raise MeshError(f"--nodes {nodes} is not from 2 to {MOST_NODES:,}")
    if not 0 <= hop_limit <= MOST_HOPS:
        raise MeshError(f"--hop-limit {hop_limit} is not from 0 to {MOST_HOPS}")
    if not 0 <= routers <= 100:
        raise MeshError(f"--routers {routers:g} is no share from 0 to 100 percent")
    side = reach_m(radio) * math.sqrt(math.pi * nodes / NEIGHBOURS)
    role = f'[roles.router]\nshare = "{routers:g} %"\nscheme.role = "router"\n\n' if routers else ""
    setting = "".join(f"{key} = {value}\n" for key, value in of_setting(radio).items())
    values = {
        "NODES": nodes,
        "SIDE": round(side, -1) if side >= 1000 else round(side),
        "PRESET": radio.name,
        "HOPS": hop_limit,
        "SETTING\n": setting + "\n",
        "ROLES": role,
        "STRETCH": f"{radio.symbol_ms / 100:g}",
    }
    text = files(__package__).joinpath(TEMPLATE).read_text(encoding="utf-8")
    for name, value in values.items():
        key, end = (name[:-1], "\n") if name.endswith("\n") else (name, "")
        shown = f"{value:.0f}" if isinstance(value, float) else str(value)
        text = text.replace(f"@{key}@{end}", shown)
    return write_text(path or Path(f"{mesh}.toml"), text)
