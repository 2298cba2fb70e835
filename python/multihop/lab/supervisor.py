"""The first process of a lab's process namespace: it starts the others, and they end with it.

python -m multihop.lab.supervisor FOLDER
"""

from __future__ import annotations

import ipaddress
import json
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import FrameType

from ..engine.errors import LabError
from ..meshes.names import valid
from . import tools
from .asking import ether_status
from .plan import RADIO, Plan

# What would leave by the TUN device goes to the proxy instead.
REDIRECT = """
table ip multihop {{
  chain proxied {{
    type nat hook output priority -100
    oifname "multihop0" meta l4proto tcp redirect to :{port}
  }}
}}
"""
# A host's name, and part of the names of files and sockets.
NODE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
PATIENCE_S = 20.0
TICK_S = 0.05


class Ended(Exception):  # noqa: N818 (it is no error)
    """A signal asks for the end."""


def _end(_number: int, _frame: FrameType | None) -> None:
    raise Ended


class Program:
    """A program that is started again when it ends."""

    def __init__(
        self, name: str, command: list[str], plan: Plan, first: Sequence[str] = ()
    ) -> None:
        """Start it, the first time with further words."""
        self.name, self.command, self.plan = name, command, plan
        self.ended_at: float | None = None
        self.start(first)

    def start(self, more: Sequence[str] = ()) -> None:
        """Start it anew."""
        with self.plan.log(self.name).open("a") as log:
            self.process = subprocess.Popen([*self.command, *more], stdout=log, stderr=log)
        self.ended_at = None

    def look(self) -> None:
        """Start it again if it has ended and that is wanted."""
        if self.process.poll() is None:
            return
        now = time.monotonic()
        if self.ended_at is None:
            self.ended_at = now
        if 0 <= self.plan.respawn_s <= now - self.ended_at:
            self.start()

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Lab:
    """An ether, and for each node a namespace and its program."""

    def __init__(self, plan: Plan) -> None:
        """Start nothing yet."""
        self.plan = plan
        self.programs: list[Program] = []
        self.holders: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        """Start everything, and write down which namespaces there are."""
        ether = Program("ether", self.plan.ether, self.plan)
        self.programs.append(ether)
        nodes = {node["name"]: node["address"] for node in self._scenario_nodes(ether)}
        _check_names(nodes)
        self._write_names(nodes)
        for name in nodes:
            self.holders[name] = self._hold()
        if self.plan.wire:
            self._wire()
        if self.plan.ethernet:
            self._forward()
        if self.plan.tcp_proxy:
            self._redirect(REDIRECT.format(port=self.plan.tcp_proxy))
        for name in nodes:
            enter = ["nsenter", "--target", str(self.holders[name].pid), "--net", "--mount", "--"]
            control = str(self.plan.control(name))
            words = [word.replace("{node}", name) for word in self.plan.node]
            command = [*enter, *words, "--node", name, "--control", control]
            # Nobody has to wait until neighbours have forgotten an earlier life.
            first = () if self.plan.ethernet else ("--incarnation", "0")
            self.programs.append(Program(name, command, self.plan, first))
        namespaces = {name: holder.pid for name, holder in self.holders.items()}
        state = {"namespaces": namespaces, "addresses": nodes}
        temporary = Path(self.plan.folder) / "state.new"
        temporary.write_text(json.dumps(state))
        temporary.rename(Path(self.plan.folder) / "state.json")

    def _write_names(self, nodes: dict[str, str]) -> None:
        """Write which name has which address, and that nobody else is to be asked."""
        folder = Path(self.plan.folder)
        here = f"127.0.0.1 localhost {socket.gethostname()}"
        lines = [here]
        for name, address in nodes.items():
            lines += [f"{own} {name}" for own in _addresses(address, self.plan.network6)]
        (folder / "hosts").write_text("".join(f"{line}\n" for line in lines))
        (folder / "resolv.conf").write_text("options timeout:1 attempts:1\n")

    def _hold(self) -> subprocess.Popen[bytes]:
        """Return a process that keeps a namespace in which the nodes are known by their names."""
        script = "; ".join(
            f"mount --bind {shlex.quote(self.plan.folder)}/{name} /etc/{name}"
            for name in ("hosts", "resolv.conf")
        )
        script = f"{script}; echo; exec sleep infinity"
        command = ["unshare", "--net", "--mount", "--", "sh", "-c", script]
        holder = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert holder.stdout is not None
        if not holder.stdout.readline():
            raise OSError("a namespace could not be made")
        return holder

    def _wire(self) -> None:
        """Connect all namespaces to one bridge, which passes on broadcasts as they come."""
        _ip("link", "add", "bridge0", "type", "bridge")
        _ip("link", "set", "bridge0", "up")
        for number, holder in enumerate(self.holders.values()):
            port, peer = f"port{number}", ("peer", "name", RADIO, "netns", str(holder.pid))
            _ip("link", "add", port, "type", "veth", *peer)
            _ip("link", "set", port, "master", "bridge0", "up")
            enter = ["nsenter", "--target", str(holder.pid), "--net", "--"]
            subprocess.run([*enter, tools.ip(), "link", "set", RADIO, "up"], check=True)

    def _forward(self) -> None:
        """Let all namespaces hand packets on, as routers do."""
        script = "for file in ipv4/ip_forward ipv6/conf/all/forwarding; do "
        script += "test ! -e /proc/sys/net/$file || echo 1 > /proc/sys/net/$file; done"
        for holder in self.holders.values():
            enter = ["nsenter", "--target", str(holder.pid), "--net", "--"]
            subprocess.run([*enter, "sh", "-c", script], check=True)

    def _redirect(self, rules: str) -> None:
        """Let connections to other nodes go to the proxy of their own."""
        for holder in self.holders.values():
            enter = ["nsenter", "--target", str(holder.pid), "--net", "--"]
            subprocess.run([*enter, tools.nft(), "-f", "-"], input=rules, text=True, check=True)

    def _scenario_nodes(self, ether: Program) -> list[dict[str, str]]:
        begun = time.monotonic()
        while True:
            try:
                nodes: list[dict[str, str]] = ether_status(self.plan.socket)["nodes"]
            except OSError:
                ended = ether.process.poll() is not None
                if ended or time.monotonic() - begun > PATIENCE_S:
                    raise
                time.sleep(TICK_S)
            else:
                return nodes

    def run(self) -> None:
        """Look after the programs, until a signal asks for the end."""
        while True:
            for program in self.programs:
                program.look()
            time.sleep(TICK_S)

    def stop(self) -> None:
        """End everything, the nodes first."""
        for program in reversed(self.programs):
            program.stop()
        for holder in self.holders.values():
            holder.kill()
            holder.wait()


def _addresses(address: str, network6: str | None) -> list[str]:
    """Return a node's addresses: in IPv6 its IPv4 address stands behind the prefix."""
    if network6 is None:
        return [address]
    first = int(ipaddress.IPv6Network(network6).network_address)
    return [address, str(ipaddress.IPv6Address(first | int(ipaddress.IPv4Address(address))))]


def _check_names(nodes: Iterable[str]) -> None:
    """Raise `LabError` if a node's name is none of a host and of a file."""
    for name in nodes:
        if not NODE_NAME.fullmatch(name):
            raise LabError(
                f"'{name}' is no name for a node of a lab: letters, digits, '.', '_' and '-', "
                f"40 at most; name it otherwise in the scenario, as '{valid(name)}'"
            )


def _ip(*words: str) -> None:
    subprocess.run([tools.ip(), *words], check=True)


def main() -> None:
    """Run the lab in the folder that the command line names."""
    lab = Lab(Plan.read(Path(sys.argv[1])))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    try:
        lab.start()
        lab.run()
    except Ended:
        pass
    except (OSError, LabError, subprocess.CalledProcessError) as error:
        print(f"the lab could not be started: {error}", file=sys.stderr)
        sys.exit(1)
    finally:
        lab.stop()


if __name__ == "__main__":
    main()
