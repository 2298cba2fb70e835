"""multihop: a deterministic simulator for congestion control in wireless multihop networks.

>>> import multihop
>>> base = multihop.Scenario.from_file("chain.toml")
>>> multihop.run(base.with_(**{"scheme.name": "cxcc"})).runs["goodput_bit_s"]
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

# Nothing that needs it may stand above, nor be loaded before.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("multihop needs Python 3.11 or newer; this is {}.{}".format(*sys.version_info))

if TYPE_CHECKING:
    from ._multihop import macs, propagations, routings, schema, schemes, topologies
    from ._multihop import version as __version__
    from .capacity.bound import Bound, bound
    from .capturing import capture, dissector
    from .charting.stored import Plot, plot_stored
    from .comparison import Comparison, compare
    from .errors import (
        BoundError,
        ChartError,
        EngineError,
        FailedError,
        IncompleteError,
        MeshError,
        MissingExtraError,
        Ns3Error,
        OutputError,
        PrototypeError,
        ReplayError,
        ScenarioError,
        SearchError,
        SweepError,
        TraceError,
        UnknownFigureError,
    )
    from .meshes.graphs import from_networkx, to_networkx
    from .meshes.measures import Measuring
    from .meshes.reading import read_mesh
    from .meshes.writing import Choices, scenario_of
    from .noting import notes
    from .optimum import Optimum, optimum_window
    from .rates import RateTable, optimum_rates
    from .recording import record, replay
    from .rejudging import Rejudgement, rejudge
    from .reproduction import Reproduction, reproduce
    from .results import Result
    from .runner import run, run_many
    from .scenario import Scenario, ScenarioFile
    from .stored_comparison import compare_stored
    from .sweeping.file import Sweep
    from .sweeping.progress import Status, status
    from .sweeping.seeds import Decided, Until
    from .sweeping.sweeps import Shard, sweep
    from .tracing import Trace

# Where each name is defined. A module is loaded when a name of it is used, because data frames
# and drawing take longer to load than many commands need.
HOMES = {
    "_multihop": ("macs", "propagations", "routings", "schema", "schemes", "topologies"),
    "capacity.bound": ("Bound", "bound"),
    "capturing": ("capture", "dissector"),
    "charting.stored": ("Plot", "plot_stored"),
    "comparison": ("Comparison", "compare"),
    "errors": (
        "BoundError",
        "ChartError",
        "EngineError",
        "FailedError",
        "IncompleteError",
        "MeshError",
        "MissingExtraError",
        "Ns3Error",
        "OutputError",
        "PrototypeError",
        "ReplayError",
        "ScenarioError",
        "SearchError",
        "SweepError",
        "TraceError",
        "UnknownFigureError",
    ),
    "meshes.graphs": ("from_networkx", "to_networkx"),
    "meshes.measures": ("Measuring",),
    "meshes.reading": ("read_mesh",),
    "meshes.writing": ("Choices", "scenario_of"),
    "noting": ("notes",),
    "optimum": ("Optimum", "optimum_window"),
    "rates": ("RateTable", "optimum_rates"),
    "recording": ("record", "replay"),
    "rejudging": ("Rejudgement", "rejudge"),
    "reproduction": ("Reproduction", "reproduce"),
    "results": ("Result",),
    "runner": ("run", "run_many"),
    "scenario": ("Scenario", "ScenarioFile"),
    "sweeping.progress": ("Status", "status"),
    "stored_comparison": ("compare_stored",),
    "sweeping.file": ("Sweep",),
    "sweeping.seeds": ("Decided", "Until"),
    "sweeping.sweeps": ("Shard", "sweep"),
    "tracing": ("Trace",),
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("._multihop", __name__).version
    home = next((module for module, names in HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f".{home}", __name__), name)


def __dir__() -> list[str]:
    return __all__


__all__ = [
    "Bound",
    "BoundError",
    "ChartError",
    "Choices",
    "Comparison",
    "Decided",
    "EngineError",
    "FailedError",
    "IncompleteError",
    "Measuring",
    "MeshError",
    "MissingExtraError",
    "Ns3Error",
    "Optimum",
    "OutputError",
    "Plot",
    "PrototypeError",
    "RateTable",
    "Rejudgement",
    "ReplayError",
    "Reproduction",
    "Result",
    "Scenario",
    "ScenarioError",
    "ScenarioFile",
    "SearchError",
    "Shard",
    "Status",
    "Sweep",
    "SweepError",
    "Trace",
    "TraceError",
    "UnknownFigureError",
    "Until",
    "__version__",
    "bound",
    "capture",
    "compare",
    "compare_stored",
    "dissector",
    "from_networkx",
    "notes",
    "optimum_rates",
    "optimum_window",
    "plot_stored",
    "read_mesh",
    "record",
    "rejudge",
    "replay",
    "reproduce",
    "routings",
    "run",
    "run_many",
    "scenario_of",
    "schema",
    "schemes",
    "status",
    "sweep",
    "to_networkx",
    "topologies",
]
