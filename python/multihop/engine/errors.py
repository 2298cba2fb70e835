"""What can be wrong with what the user asks for; every message names it and a remedy."""

from __future__ import annotations

from .._multihop import ReplayError, ScenarioError


class OutputError(Exception):
    """Results could not be written or read; the message names the place and a remedy."""


class IncompleteError(OutputError):
    """Runs of a sweep are missing although none has failed; the message names the folder."""


class BoundError(ValueError):
    """A bound cannot be computed; the message names the reason and the remedy."""


class ChartError(ValueError):
    """A chart cannot be drawn; the message names the column and the known ones."""


class EngineError(OutputError):
    """A worker has another engine, or none; the message names it and what to install."""


class FailedError(OutputError):
    """Runs of a sweep failed; the message has the first error and says where the others are."""


class StoppedError(Exception):
    """A command was interrupted; the message says what is kept."""


class SearchError(ValueError):
    """A search for the best window or rate cannot begin; the message names what is missing."""


class TraceError(ValueError):
    """A folder has no readable trace; the message names the folder and the fault."""


class SweepError(ValueError):
    """A sweep varies a key in a way that makes no sense; the message names the key."""


class UnknownFigureError(ValueError):
    """A paper or figure has an unknown name; the message lists the known ones."""


class GalleryError(ValueError):
    """There is no such lesson, or one cannot be read; the message names the place and a remedy."""


class LabError(RuntimeError):
    """A lab cannot be; the message says what is missing or in the way, and a remedy."""


class Ns3Error(RuntimeError):
    """ns-3 cannot run a scenario, or has failed; the message says why, and a remedy."""


class MeshError(ValueError):
    """A network cannot be imported; the message names the file, the place and a remedy."""


class PrototypeError(ValueError):
    """A scheme in Python is not complete; the message names what is wrong, and a remedy."""


class LearningError(ValueError):
    """A task or an action of an environment makes no sense; the message names it and a remedy."""


class MissingExtraError(ImportError):
    """An optional package is missing; the message says how to install it."""


__all__ = [
    "BoundError",
    "ChartError",
    "EngineError",
    "FailedError",
    "GalleryError",
    "IncompleteError",
    "LabError",
    "LearningError",
    "MeshError",
    "MissingExtraError",
    "Ns3Error",
    "OutputError",
    "PrototypeError",
    "ReplayError",
    "ScenarioError",
    "SearchError",
    "StoppedError",
    "SweepError",
    "TraceError",
    "UnknownFigureError",
]
