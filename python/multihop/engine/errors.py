"""What can be wrong with what the user asks for; every message names it and a remedy."""

from __future__ import annotations

from .._multihop import ReplayError, ScenarioError


class OutputError(Exception):
    """Results could not be written or read; the message names the place and a remedy."""


class IncompleteError(OutputError):
    """Runs of a sweep are missing although nothing failed; the message says where."""


class BoundError(ValueError):
    """There is no bound to compute; the message says why and what to do."""


class ChartError(ValueError):
    """There is nothing to draw like that; the message names the column and what there is."""


class EngineError(OutputError):
    """A worker has another engine, or none; the message names it and says what to install."""


class FailedError(OutputError):
    """Runs of a sweep failed; the message has the first error and says where the others are."""


class StoppedError(Exception):
    """A command was interrupted; the message says what is kept."""


class SearchError(ValueError):
    """There is nothing to search; the message says what is missing."""


class TraceError(ValueError):
    """A folder is no trace that can be read; the message names it and says what is wrong."""


class SweepError(ValueError):
    """What is to be varied makes no sense; the message names the key."""


class UnknownFigureError(ValueError):
    """There is no figure of this name; the message lists those there are."""


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


class MissingExtraError(ImportError):
    """A package is needed that multihop does not bring; the message says how to get it."""


__all__ = [
    "BoundError",
    "ChartError",
    "EngineError",
    "FailedError",
    "GalleryError",
    "IncompleteError",
    "LabError",
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
