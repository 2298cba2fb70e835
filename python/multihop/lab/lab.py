"""A lab from outside: up, commands in its nodes, how it is, down."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ..engine.errors import LabError
from ..scenario.form import Scenario
from . import tools
from .asking import ether_capture, ether_status, node_status
from .plan import PORT, RADIO, Plan

PATIENCE_S = 60.0
TICK_S = 0.05
PROXY_PORT = 48_999
MTU = 1000
ETHERNET_MTU = 1500
# Every link of IPv6 carries as much (RFC 8200).
IPV6_MTU = 1280
PORTS = ("node", "ethernet")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")


@dataclass(frozen=True)
class Options:
    """How a lab is to be."""

    # So many seconds of the machine are a second of medium and nodes.
    time_scale: float = 1.0
    # The largest IP packet in bytes; 1000, and 1500 on Ethernet ports, if it is not given.
    mtu: int | None = None
    # Whether frames are encrypted, with a key of this lab's own; they are 32 B longer then. With
    # `--identity` among the flags of nodes they are, too, with the key of rosters.
    sealed: bool = False
    # Further flags of the nodes and of the ether; `{node}` in those of nodes is the node's name.
    node_flags: tuple[str, ...] = ()
    ether_flags: tuple[str, ...] = ()
    # Nodes broadcast on a bridge of Ethernet: no collisions, and everybody hears everybody.
    wire: bool = False
    # End TCP connections at the nodes, and carry them as streams of the scheme.
    tcp_proxy: bool = False
    # What a node is: a `multihop-node` with a TUN device ("node"), or an Ethernet port of the
    # medium, on which other routing daemons run ("ethernet").
    ports: str = "node"
    # So long after its end a program is started again, in seconds; never if negative.
    respawn_s: float = 1.0
    # The IPv6 addresses of the nodes, such as fd6d:6873::/64; none if it is not given.
    network6: str | None = None


def _root() -> Path:
    """Return the folder of all labs of this user, in which nobody else may put anything.

    Raises `LabError` if others could: what stands there is believed.
    """
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    root = Path(runtime) / "multihop" if runtime else Path(f"/tmp/multihop-{os.geteuid()}")
    try:
        found = root.lstat()
    except FileNotFoundError:
        return root
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    if not own or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise LabError(
            f"{root} is not a folder of this user alone, so that others could put a lab there; "
            "remove it, or set XDG_RUNTIME_DIR to a folder of your own"
        )
    return root


def _folder(name: str) -> Path:
    if not NAME.fullmatch(name):
        raise LabError(f"'{name}' is no name for a lab: letters, digits, '.', '_', '-', 32 at most")
    return _root() / name


class Lab:
    """A lab that is up. `with Lab.up(...) as lab` takes it down at the end."""

    def __init__(self, name: str) -> None:
        """Find the lab called `name`; raises `LabError` if it is not up."""
        self.name, self.folder = name, _folder(name)
        try:
            self.plan = Plan.read(self.folder)
            state = json.loads((self.folder / "state.json").read_text())
        except OSError:
            raise LabError(
                f"there is no lab '{name}'; multihop lab up SCENARIO --name {name} makes one"
            ) from None
        self.namespaces: dict[str, int] = state["namespaces"]
        self.addresses: dict[str, str] = state["addresses"]
        supervisor = _supervisor(self.folder)
        if supervisor is None:
            raise LabError(
                f"the lab '{name}' has crashed; multihop lab down --name {name} clears it away"
            )
        self.supervisor = supervisor

    @classmethod
    def up(cls, scenario: Scenario, name: str = "lab", options: Options | None = None) -> Lab:
        """Start a lab of a scenario, and wait until every node has its radio.

        Raises `LabError` if there is one of this name, or if the machine lacks something.
        """
        chosen = options or Options()
        lacking = tools.missing()
        if lacking:
            raise LabError(f"there can be no lab here: {lacking}")
        folder = _folder(name)
        if _supervisor(folder) is not None:
            raise LabError(
                f"the lab '{name}' is up already; multihop lab down --name {name} ends it, and "
                "--name gives this one another name"
            )
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Somebody may have been faster.
        _folder(name).mkdir(mode=0o700)
        _plan(folder, scenario, chosen).write()
        process = _spawn(folder)
        try:
            _wait(folder, process)
            lab = cls(name)
            lab.wait_for_radios()
        except LabError:
            _end(folder, process.pid)
            raise
        return lab

    def __enter__(self) -> Lab:
        """Return the lab."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take it down."""
        self.down()

    def wait_for_radios(self) -> None:
        """Wait until every node has its radio; raises `LabError` if that takes too long."""
        begun = time.monotonic()
        while True:
            off = [node["node"] for node in self.status()["nodes"] if not node.get("radio")]
            if not off:
                return
            if time.monotonic() - begun > PATIENCE_S:
                raise LabError(f"no radio for {', '.join(off)}: {_last_words(self.folder)}")
            time.sleep(TICK_S)

    def command(self, node: str, command: Sequence[str]) -> list[str]:
        """Return the command line that runs `command` in the namespace of `node`."""
        if node not in self.namespaces:
            known = ", ".join(self.namespaces)
            raise LabError(f"the lab '{self.name}' has no node '{node}'; it has {known}")
        outer = ["nsenter", "--target", str(self.supervisor), "--mount", "--pid"]
        if os.geteuid() != 0:
            outer += ["--user", "--preserve-credentials"]
        # To enter a process namespace, nsenter forks: its child is to end with it.
        inner = ["setpriv", "--pdeathsig", "KILL", "--"]
        inner += ["nsenter", "--target", str(self.namespaces[node]), "--net", "--mount"]
        return [*outer, "--", *inner, f"--wd={os.getcwd()}", "--", *command]

    def popen(self, node: str, command: Sequence[str], **options: Any) -> subprocess.Popen[str]:
        """Start a command in a node."""
        return subprocess.Popen(self.command(node, command), text=True, **options)

    def run(self, node: str, command: Sequence[str], **options: Any) -> str:
        """Run a command in a node, and return what it prints.

        Raises `subprocess.CalledProcessError` if it fails.
        """
        words = self.command(node, command)
        printed: str = subprocess.check_output(words, text=True, **options)
        return printed

    def processes(self, program: str, *words: str) -> list[int]:
        """Return the ids of the processes of one of the lab's programs, such as `multihop-node`.

        With `words`, only of those whose command lines have all of them.
        """
        found = []
        for file in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                line = file.read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            ours = any(word.startswith(f"{self.plan.folder}/") for word in line)
            if ours and Path(line[0]).name == program and set(words) <= set(line):
                found.append(int(file.parent.name))
        return found

    def status(self) -> dict[str, Any]:
        """Return how the ether and every node are; of one that does not answer, its name."""
        try:
            ether: dict[str, Any] = ether_status(self.plan.socket)
        except OSError:
            ether = {}
        return {"ether": ether, "nodes": [self._node_status(name) for name in self.namespaces]}

    def _node_status(self, name: str) -> dict[str, Any]:
        try:
            return node_status(self.plan.control(name))
        except (OSError, ValueError):
            return {"node": name}

    def capture(self, out: IO[bytes], duration_s: float | None = None) -> None:
        """Write what is on the air into `out` as pcapng, for so many seconds of the medium.

        Raises `LabError` if there is no medium, or it ends.
        """
        if self.plan.wire:
            raise LabError(
                f"the lab '{self.name}' has no medium, its nodes broadcast on a bridge; "
                f"multihop lab exec NODE -- tcpdump -i {RADIO} -w FILE captures that"
            )
        try:
            scale = ether_status(self.plan.socket)["time_scale"]
            for part in ether_capture(self.plan.socket, duration_s and duration_s * scale):
                out.write(part)
                out.flush()
        except (EOFError, ConnectionRefusedError, FileNotFoundError):
            raise LabError(
                f"the medium of the lab '{self.name}' has ended, and with it the capture"
            ) from None

    def down(self) -> None:
        """End everything that belongs to it."""
        down(self.name)


def names() -> list[str]:
    """Return the labs that are up, or have crashed."""
    return sorted(path.parent.name for path in _root().glob("*/plan.json"))


def down(name: str) -> None:
    """End a lab, also one that has crashed; raises `LabError` if there is none."""
    folder = _folder(name)
    if not folder.exists():
        raise LabError(f"there is no lab '{name}'")
    _end(folder, _unshare(folder))


def _plan(folder: Path, scenario: Scenario, options: Options) -> Plan:
    ethernet, versions = _is_ethernet(options), tools.versions()
    file = folder / "scenario.json"
    file.write_text(scenario.json)
    socket = str(folder / "ether.sock")
    scale = ["--time-scale", str(options.time_scale)]
    ether = [tools.program("multihop-ether"), str(file), socket, *scale, *options.ether_flags]
    if ethernet:
        device = [tools.program("multihop-ether"), "port", socket, "--tap", PORT]
        device += ["--mtu", str(options.mtu or ETHERNET_MTU), *options.node_flags]
        return Plan(
            str(folder),
            ether,
            device,
            options.respawn_s,
            wire=False,
            ethernet=True,
            versions=versions,
        )
    radio = ["--interface", RADIO] if options.wire else ["--ether", socket]
    node = [tools.program("multihop-node"), "--scenario", str(file), *radio]
    mtu = options.mtu or (IPV6_MTU if options.network6 else MTU)
    node += ["--mtu", str(mtu), *_cover(folder, options), *options.node_flags]
    if options.network6 is not None:
        node += ["--network6", _network6(options.network6)]
    port = None
    if options.tcp_proxy:
        port = PROXY_PORT
        tools.nft()
        node += ["--tcp-proxy", str(port)]
    return Plan(
        str(folder),
        ether,
        node,
        options.respawn_s,
        options.wire,
        port,
        network6=options.network6,
        versions=versions,
    )


def _network6(prefix: str) -> str:
    try:
        network = ipaddress.IPv6Network(prefix)
    except ValueError as error:
        raise LabError(f"network6 = {prefix}: {error}; it needs a form as fd6d:6873::/64") from None
    if network.prefixlen > 96:
        raise LabError(f"network6 = {prefix}: it needs 16 to 96 bits; the last 32 are IPv4's")
    return str(network)


def _is_ethernet(options: Options) -> bool:
    if options.ports not in PORTS:
        raise LabError(f"ports = '{options.ports}': {' or '.join(PORTS)}")
    if options.ports == "node":
        return False
    given = {"wire": options.wire, "sealed": options.sealed, "tcp_proxy": options.tcp_proxy}
    given["network6"] = options.network6 is not None
    wrong = [name.replace("_", "-") for name, value in given.items() if value]
    if wrong:
        raise LabError(
            f"--{wrong[0]} is of multihop-node: an Ethernet port hands frames on as they are; "
            f"leave out --{wrong[0]} or --ports ethernet"
        )
    return True


def _cover(folder: Path, options: Options) -> list[str]:
    if "--identity" in options.node_flags:
        return ["--state", str(folder)]
    if not options.sealed:
        return ["--plain"]
    key = str(folder / "network.key")
    subprocess.run([tools.program("multihop-node"), "key", key], check=True)
    return ["--key", key, "--state", str(folder)]


def _spawn(folder: Path) -> subprocess.Popen[bytes]:
    """Start the supervisor, whose end is the end of all its processes."""
    namespaces = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    supervisor = [sys.executable, "-m", "multihop.lab.supervisor", str(folder)]
    path = os.pathsep.join(
        filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")])
    )
    with (folder / "supervisor.log").open("w") as log:
        process = subprocess.Popen(
            ["unshare", *tools.own_user(), *namespaces, "--", *supervisor],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path},
        )
    (folder / "pid").write_text(str(process.pid))
    return process


def _wait(folder: Path, process: subprocess.Popen[bytes]) -> None:
    begun = time.monotonic()
    while not (folder / "state.json").exists():
        if process.poll() is not None or time.monotonic() - begun > PATIENCE_S:
            raise LabError(f"the lab did not start: {_last_words(folder)}")
        time.sleep(TICK_S)


def _last_words(folder: Path) -> str:
    """Return what the programs of a lab have said last."""
    said = [path.read_text(errors="replace").strip() for path in sorted(folder.glob("*.log"))]
    return " | ".join(text.splitlines()[-1] for text in said if text) or "nothing was said"


def _unshare(folder: Path) -> int | None:
    """Return the process that was started for the lab in `folder`, if it lives."""
    try:
        pid = int((folder / "pid").read_text())
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return None
    # another process may have the number by now
    return pid if str(folder).encode() in words else None


def _supervisor(folder: Path) -> int | None:
    """Return the first process of the lab's namespace, as it is numbered outside."""
    pid = _unshare(folder)
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return None
    return int(children[0]) if children else None


def _end(folder: Path, unshare: int | None) -> None:
    supervisor = _supervisor(folder)
    for pid, number in ((supervisor, signal.SIGTERM), (unshare, signal.SIGKILL)):
        if pid is not None:
            _signal(pid, number)
            _wait_for_end(folder)
    shutil.rmtree(folder, ignore_errors=True)


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _wait_for_end(folder: Path) -> None:
    begun = time.monotonic()
    while _unshare(folder) is not None and time.monotonic() - begun < PATIENCE_S / 2:
        time.sleep(TICK_S)
