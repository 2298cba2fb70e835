"""Traces in the browser: a page that replays them, a small server, and one file to pass on."""

from .export import export
from .folder import TraceFolder
from .server import Server, serve

__all__ = ["Server", "TraceFolder", "export", "serve"]
