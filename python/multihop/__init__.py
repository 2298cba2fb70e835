"""multihop: a deterministic simulator for congestion control in wireless multihop networks.

>>> import multihop
>>> base = multihop.Scenario.from_file("chain.toml")
>>> multihop.run(base.with_(**{"scheme.name": "cxcc"})).runs["goodput_bit_s"]
"""

from __future__ import annotations

from ._multihop import ReplayError, ScenarioError, schema, schemes
from ._multihop import version as __version__
from .optimum import Optimum, SearchError, optimum_window
from .recording import record, replay
from .reproduction import Reproduction, UnknownFigureError, reproduce
from .results import OutputError, Result
from .runner import run, run_many
from .scenario import Scenario
from .sweeps import Shard, sweep

__all__ = [
    "Optimum",
    "OutputError",
    "ReplayError",
    "Reproduction",
    "Result",
    "Scenario",
    "ScenarioError",
    "SearchError",
    "Shard",
    "UnknownFigureError",
    "__version__",
    "optimum_window",
    "record",
    "replay",
    "reproduce",
    "run",
    "run_many",
    "schema",
    "schemes",
    "sweep",
]
