"""A server for one page and one trace: on this machine only, and nothing else is served."""

from __future__ import annotations

import errno
import json
import threading
import webbrowser
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any

from ..engine.errors import OutputError
from .folder import TraceFolder, app
from .playground import module

HOST = "127.0.0.1"
PORT = 8765
# How many ports are tried behind a busy one; then the system chooses.
TRIES = 20
PAGE = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/viewer.js": ("viewer.js", "text/javascript; charset=utf-8"),
    "/viewer.css": ("viewer.css", "text/css; charset=utf-8"),
    "/playground.js": ("playground.js", "text/javascript; charset=utf-8"),
    "/playground.css": ("playground.css", "text/css; charset=utf-8"),
    "/worker.js": ("worker.js", "text/javascript; charset=utf-8"),
}
# What stands beside the page, by the end of its name.
KINDS = {
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
}
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


class Server(ThreadingHTTPServer):
    """Serves the page, the manifest and the files of traces, all by an exact list of paths."""

    daemon_threads = True
    # A port that somebody listens on is busy, whatever its options are.
    allow_reuse_address = False

    def __init__(
        self,
        port: int,
        told: dict[str, Any],
        folders: list[TraceFolder],
        beside: Mapping[str, bytes] | None = None,
    ) -> None:
        self.told = json.dumps(told).encode()
        # What else the page asks for, such as lessons.
        self.beside = {f"/{path}": content for path, content in (beside or {}).items()}
        self.files: dict[str, Path] = {}
        for folder in folders:
            self.files.update({f"/{path}": file for path, file in folder.files.items()})
        if "templates" in told:
            self.files["/engine.wasm"] = module()
        super().__init__((HOST, port), _Handler)

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """The page's address."""
        return f"http://{HOST}:{self.port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that has gone away."""


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        # Another name that leads here is another page's attempt to read the trace.
        host = (self.headers.get("Host") or "").partition(":")[0]
        if host not in (HOST, "localhost"):
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        found = self._find(self.path.partition("?")[0])
        if found is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        content, kind = found
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if body:
            self.wfile.write(content)

    def _find(self, path: str) -> tuple[bytes, str] | None:
        if path in PAGE:
            name, kind = PAGE[path]
            return app(name), kind
        if path == "/manifest.json":
            return self.server.told, "application/json"
        if (content := self.server.beside.get(path)) is not None:
            return content, KINDS.get(
                PurePosixPath(path).suffix.lower(), "application/octet-stream"
            )
        if (file := self.server.files.get(path)) is None:
            return None
        try:
            return file.read_bytes(), "application/octet-stream"
        except OSError:
            return None  # it was taken away in the meantime

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        """Keep the terminal quiet."""


def listen(
    port: int,
    told: dict[str, Any],
    folders: list[TraceFolder],
    beside: Mapping[str, bytes] | None = None,
) -> Server:
    """Return a server on `port`, or on another one if that is in use.

    `beside` are files that the page asks for, by their paths.
    """
    for candidate in (*range(port, min(port + TRIES, 65536)), 0):
        try:
            return Server(candidate, told, folders, beside)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise OutputError(f"cannot listen on port {port}: {error.strerror}") from None
    raise OutputError("no port is free; end another program that listens")


def serve(server: Server, *, browse: bool, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C is pressed; open the browser first if wanted."""
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        ready()
        if browse:
            webbrowser.open(server.url)
        while thread.is_alive():
            thread.join(0.5)
    except KeyboardInterrupt:
        pass
    finally:
        server.shutdown()
        server.server_close()
