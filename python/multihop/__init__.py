"""multihop: a deterministic simulator for congestion control in wireless multihop networks.

>>> import multihop
>>> base = multihop.Scenario.from_file("chain.toml")
>>> multihop.run(base.with_(**{"scheme.name": "cxcc"})).runs["goodput_bit_s"]
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from importlib.metadata import entry_points
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
        macs as macs,
        mobilities as mobilities,
        propagations as propagations,
        rates as rates,
        routings as routings,
        schema as schema,
        schemes as schemes,
        topologies as topologies,
        traffics as traffics,
        version as __version__,  # noqa: F401
    )
    from .capacity.bound import (
        Bound as Bound,
        bound as bound,
    )
    from .capacity.pacing import paced as paced
    from .charting.stored import (
        Plot as Plot,
        plot_stored as plot_stored,
    )
    from .comparing.comparison import (
        Comparison as Comparison,
        compare as compare,
    )
    from .comparing.stored_comparison import compare_stored as compare_stored
    from .engine.errors import (
        BoundError as BoundError,
        ChartError as ChartError,
        EngineError as EngineError,
        FailedError as FailedError,
        IncompleteError as IncompleteError,
        MeshError as MeshError,
        MissingExtraError as MissingExtraError,
        Ns3Error as Ns3Error,
        OutputError as OutputError,
        PrototypeError as PrototypeError,
        ReplayError as ReplayError,
        ScenarioError as ScenarioError,
        SearchError as SearchError,
        SweepError as SweepError,
        TraceError as TraceError,
        UnknownFigureError as UnknownFigureError,
    )
    from .meshes.graphs import (
        from_networkx as from_networkx,
        to_networkx as to_networkx,
    )
    from .meshes.measures import Measuring as Measuring
    from .meshes.reading import read_mesh as read_mesh
    from .meshes.writing import (
        Choices as Choices,
        scenario_of as scenario_of,
    )
    from .reasons.asking import (
        Why as Why,
        why as why,
    )
    from .reasons.life import (
        frame_loss as frame_loss,
        packet_at as packet_at,
        packet_life as packet_life,
    )
    from .reproducing.rejudging import (
        Rejudgement as Rejudgement,
        rejudge as rejudge,
    )
    from .reproducing.reproduction import (
        Reproduction as Reproduction,
        reproduce as reproduce,
    )
    from .results.result import Result as Result
    from .running.capturing import (
        capture as capture,
        dissector as dissector,
    )
    from .running.ns3 import (
        by_its_rules as by_its_rules,
    )
    from .running.recording import (
        record as record,
        replay as replay,
    )
    from .running.runner import (
        run as run,
        run_many as run_many,
    )
    from .running.tracing import Trace as Trace
    from .scenario.form import (
        Scenario as Scenario,
        ScenarioFile as ScenarioFile,
    )
    from .scenario.noting import notes as notes
    from .searching.optimum import (
        Optimum as Optimum,
        optimum_window as optimum_window,
    )
    from .searching.rates import (
        RateTable as RateTable,
        optimum_rates as optimum_rates,
    )
    from .sweeping.file import Sweep as Sweep
    from .sweeping.progress import (
        Status as Status,
        status as status,
    )
    from .sweeping.seeds import (
        Decided as Decided,
        Until as Until,
    )
    from .sweeping.sweeps import (
        Shard as Shard,
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


def _choose_engine() -> None:
    """Use the engine of an outside package, where one is installed, in place of that in here."""
    found = sorted(entry_points(group="multihop.engines"), key=lambda entry: entry.name)
    if len(found) > 1:
        values = ", ".join(f"{entry.name} ({entry.value})" for entry in found)
        raise ImportError(
            f"several engines of multihop are installed, uninstall all but one: {values}"
        )
    for entry in found:
        sys.modules[f"{__name__}._multihop"] = entry.load()


_choose_engine()
_HOMES = _homes()
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    module, there = _HOMES[name]
    return getattr(import_module(module, __name__), there)


def __dir__() -> list[str]:
    return __all__
