"""Who is doing which runs: a claim is a file that its process keeps locked while it lives.

The system takes the lock back from a process that ends, however it ends, so a claim without its
lock is worth nothing, and others do these runs.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import shutil
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..engine.errors import OutputError
from ..engine.texts import read_json
from .batches import Batch

# What a file system says that has no locks.
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


@dataclass
class Claim:
    """Runs that this process has taken, and the folder where their tables are put together."""

    batch: Batch
    path: Path
    handle: int | None

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that are to be kept of every run."""
        return self.batch.jobs[0].tables

    @property
    def folder(self) -> Path:
        """Where the part is written before it counts."""
        return self.path.with_suffix("")

    def release(self) -> None:
        """Let others have what is not done; once is enough."""
        if self.handle is None:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)
        os.close(self.handle)
        self.handle = None


def take(path: Path, batch: Batch, workers: int, where: str) -> Claim:
    """Write a claim; the store's lock must be held.

    For `status`, it says how many batches the process does at a time, and where.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, path)
        about = {
            "runs": [job.run for job in batch.jobs],
            "host": socket.gethostname(),
            "process": os.getpid(),
            "where": where,
            "workers": workers,
            "since": time.time(),
        }
        os.write(handle, json.dumps(about).encode())
    except BaseException:
        os.close(handle)
        path.unlink(missing_ok=True)
        raise
    return Claim(batch, path, handle)


def living(folder: Path) -> Iterator[dict[str, Any]]:
    """Read the claims whose processes live; the store's lock must be held."""
    for path in sorted(folder.glob("*.json")):
        if _is_locked(path):
            with contextlib.suppress(OSError, ValueError):
                yield read_json(path)


def clear(folder: Path) -> None:
    """Take away what dead processes have left; the store's lock must be held."""
    for path in folder.glob("*.json"):
        if not _is_locked(path):
            shutil.rmtree(path.with_suffix(""), ignore_errors=True)
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
    for path in folder.iterdir():
        if path.is_dir() and not path.with_suffix(".json").exists():
            shutil.rmtree(path, ignore_errors=True)


def _is_locked(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def flock(handle: int, kind: int, path: Path) -> None:
    """Lock a file, or say what to do where there are no locks."""
    try:
        fcntl.flock(handle, kind)
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
        raise OutputError(
            f"cannot lock '{path}': {error.strerror}; name a folder on a disk of this machine with "
            "--out; shards' folders are put together by `multihop collect`"
        ) from error
