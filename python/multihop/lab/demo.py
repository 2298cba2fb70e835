"""A file fetched with curl over five hops, while another is fetched the other way."""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..engine.errors import LabError
from ..scenario.form import Scenario
from . import tools
from .lab import Lab, Options

SCENARIO = """
name = "lab-demo"
topology = { kind = "chain", hops = 5, spacing = "200 m" }
mac = { data_rate = "2 Mbit/s" }
scheme = { name = "cxcc" }
traffic = { load = "1 kbit/s" }
"""
# Whether proxies end TCP, for each scheme, and what that is.
CASES = (
    ("udp", False, "plain forwarding over 802.11"),
    ("cxcc", False, "CXCC"),
    ("cxcc", True, "CXCC, with TCP ended at the nodes"),
)
PORT = 8000
# Longer than any of the schemes takes, in seconds of the medium.
PATIENCE_S = 600


@dataclass(frozen=True)
class Fetched:
    """A file that has crossed the network, or not."""

    scheme: str
    proxies: bool
    way: str
    size: int
    # Of the medium.
    seconds: float
    intact: bool

    @property
    def rate_bit_s(self) -> float:
        """Bits of the file in a second of the medium."""
        return self.size * 8 / self.seconds


def run(size: int, time_scale: float, say: Callable[[str], None]) -> Iterator[Fetched]:
    """Fetch a file of `size` bytes each way, over every scheme; `say` is told what is going on.

    Raises `LabError` if there can be no lab here.
    """
    if shutil.which("curl") is None:
        raise LabError("there is no curl: apt install curl")
    for scheme, proxies, about in CASES:
        if proxies and (lacking := _no_proxies()):
            say(f"{about}: not tried, {lacking}")
            continue
        say(f"{about}: six nodes, five hops, a file of {size} B each way")
        scenario = Scenario.from_toml(SCENARIO).with_(**{"scheme.name": scheme})
        with (
            tempfile.TemporaryDirectory(prefix="multihop-lab-demo-") as folder,
            Lab.up(scenario, "demo", Options(time_scale=time_scale, tcp_proxy=proxies)) as lab,
        ):
            fetched = _both_ways(lab, Path(folder), size)
        yield from (
            Fetched(scheme, proxies, way, size, seconds, intact) for way, seconds, intact in fetched
        )


def _no_proxies() -> str:
    """Return why there can be none."""
    try:
        tools.nft()
    except LabError as error:
        return str(error)
    return ""


def _both_ways(lab: Lab, folder: Path, size: int) -> list[tuple[str, float, bool]]:
    """Let the first node fetch a file from the last, and the last one from the first.

    Return for each the way, the seconds of the medium, and whether it has come intact.
    """
    first, *_, last = lab.namespaces
    scale = lab.status()["ether"]["time_scale"]
    with ExitStack() as stack:
        fetches = []
        for number, (here, there) in enumerate(((first, last), (last, first))):
            served = folder / there
            served.mkdir()
            (served / "file").write_bytes(random.Random(number).randbytes(size))
            stack.enter_context(_serving(lab, there, served))
            fetches.append((here, there, served / "file", folder / f"from-{there}"))
        curls = [
            (_curl(lab, here, there, got), there, here, file, got)
            for here, there, file, got in fetches
        ]
        begun, fetched = time.monotonic(), []
        while curls:
            for curl in [curl for curl in curls if curl[0].poll() is not None]:
                curls.remove(curl)
                _, there, here, file, got = curl
                seconds = (time.monotonic() - begun) / scale
                intact = got.exists() and _hash(got) == _hash(file)
                fetched.append((f"{there} to {here}", seconds, intact))
            time.sleep(0.01)
        return fetched


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _curl(lab: Lab, node: str, server: str, out: Path) -> subprocess.Popen[str]:
    patience = str(PATIENCE_S)
    command = ["curl", "--silent", "--max-time", patience, "--output", str(out)]
    return lab.popen(node, [*command, f"http://{server}:{PORT}/file"])


@contextmanager
def _serving(lab: Lab, node: str, folder: Path) -> Iterator[None]:
    """Serve the files of a folder at a node."""
    command = [sys.executable, "-m", "http.server", str(PORT), "--directory", str(folder)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with lab.popen(node, command, **quiet) as server:
        try:
            probe = ["curl", "--silent", "--fail", "--output", "/dev/null"]
            again = ["--retry", "100", "--retry-connrefused", "--retry-delay", "1"]
            lab.run(node, [*probe, *again, f"http://{node}:{PORT}/"])
            yield
        finally:
            server.kill()
