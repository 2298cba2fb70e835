"""multihop: a deterministic simulator for congestion control in wireless multihop networks.

>>> import multihop
>>> base = multihop.Scenario.from_file("chain.toml")
>>> multihop.run(base.with_(**{"scheme.name": "cxcc"})).runs["goodput_bit_s"]
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pkgutil import get_data
from typing import TYPE_CHECKING, Any

# Nothing that needs it may stand above, nor be loaded before.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("multihop needs Python 3.11 or newer; this is {}.{}".format(*sys.version_info))

# The public names, each once: type checkers read these lines as they are, and `_homes` reads where
# a name is defined. A module is loaded when a name of it is used, because data frames and drawing
# take longer to load than many commands need.
if TYPE_CHECKING:
    from ._multihop import (
        routings as routings,
    )
    from ._multihop import (
        schema as schema,
    )
    from ._multihop import (
        schemes as schemes,
    )
    from ._multihop import (
        topologies as topologies,
    )
    from ._multihop import version as __version__  # noqa: F401
    from .capacity.bound import (
        Bound as Bound,
    )
    from .capacity.bound import (
        bound as bound,
    )
    from .charting.stored import (
        Plot as Plot,
    )
    from .charting.stored import (
        plot_stored as plot_stored,
    )
    from .comparing.comparison import (
        Comparison as Comparison,
    )
    from .comparing.comparison import (
        compare as compare,
    )
    from .comparing.stored_comparison import compare_stored as compare_stored
    from .engine.errors import (
        BoundError as BoundError,
    )
    from .engine.errors import (
        ChartError as ChartError,
    )
    from .engine.errors import (
        EngineError as EngineError,
    )
    from .engine.errors import (
        FailedError as FailedError,
    )
    from .engine.errors import (
        IncompleteError as IncompleteError,
    )
    from .engine.errors import (
        MeshError as MeshError,
    )
    from .engine.errors import (
        MissingExtraError as MissingExtraError,
    )
    from .engine.errors import (
        Ns3Error as Ns3Error,
    )
    from .engine.errors import (
        OutputError as OutputError,
    )
    from .engine.errors import (
        PrototypeError as PrototypeError,
    )
    from .engine.errors import (
        ReplayError as ReplayError,
    )
    from .engine.errors import (
        ScenarioError as ScenarioError,
    )
    from .engine.errors import (
        SearchError as SearchError,
    )
    from .engine.errors import (
        SweepError as SweepError,
    )
    from .engine.errors import (
        TraceError as TraceError,
    )
    from .engine.errors import (
        UnknownFigureError as UnknownFigureError,
    )
    from .meshes.graphs import (
        from_networkx as from_networkx,
    )
    from .meshes.graphs import (
        to_networkx as to_networkx,
    )
    from .meshes.measures import Measuring as Measuring
    from .meshes.reading import read_mesh as read_mesh
    from .meshes.writing import (
        Choices as Choices,
    )
    from .meshes.writing import (
        scenario_of as scenario_of,
    )
    from .reproducing.rejudging import (
        Rejudgement as Rejudgement,
    )
    from .reproducing.rejudging import (
        rejudge as rejudge,
    )
    from .reproducing.reproduction import (
        Reproduction as Reproduction,
    )
    from .reproducing.reproduction import (
        reproduce as reproduce,
    )
    from .results.result import Result as Result
    from .running.capturing import (
        capture as capture,
    )
    from .running.capturing import (
        dissector as dissector,
    )
    from .running.ns3 import (
        by_its_rules as by_its_rules,
    )
    from .running.recording import (
        record as record,
    )
    from .running.recording import (
        replay as replay,
    )
    from .running.runner import (
        run as run,
    )
    from .running.runner import (
        run_many as run_many,
    )
    from .running.tracing import Trace as Trace
    from .scenario.form import (
        Scenario as Scenario,
    )
    from .scenario.form import (
        ScenarioFile as ScenarioFile,
    )
    from .scenario.noting import notes as notes
    from .searching.optimum import (
        Optimum as Optimum,
    )
    from .searching.optimum import (
        optimum_window as optimum_window,
    )
    from .searching.rates import (
        RateTable as RateTable,
    )
    from .searching.rates import (
        optimum_rates as optimum_rates,
    )
    from .sweeping.file import Sweep as Sweep
    from .sweeping.progress import (
        Status as Status,
    )
    from .sweeping.progress import (
        status as status,
    )
    from .sweeping.seeds import (
        Decided as Decided,
    )
    from .sweeping.seeds import (
        Until as Until,
    )
    from .sweeping.sweeps import (
        Shard as Shard,
    )
    from .sweeping.sweeps import (
        sweep as sweep,
    )


def _homes() -> dict[str, tuple[str, str]]:
    """Return the module in which each public name is defined, and its name there."""
    source = get_data(__name__, "__init__.py") or b""
    checked = next(part for part in ast.parse(source).body if _is_for_checkers(part))
    return {
        alias.asname or alias.name: (f".{line.module}", alias.name)
        for line in ast.walk(checked)
        if isinstance(line, ast.ImportFrom)
        for alias in line.names
    }


def _is_for_checkers(part: ast.stmt) -> bool:
    """Whether a statement is the one under `TYPE_CHECKING`."""
    return isinstance(part, ast.If) and ast.unparse(part.test) == "TYPE_CHECKING"


_HOMES = _homes()
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module, there = _HOMES[name]
    return getattr(import_module(module, __name__), there)


def __dir__() -> list[str]:
    return __all__
