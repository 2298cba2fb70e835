"""A node with as little memory as the pages say it needs, under the floods of a member."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from multihop.lab import Lab, Options, tools
from tests.labs import PING, chain, counter, eventually, needs_linux, python

pytestmark = pytest.mark.engine
GROUPS = Path("/sys/fs/cgroup")
# What the pages say is enough; the package's service has sixteen times as much.
ENOUGH = 16 << 20

# Puts one node into a control group, and is then the node.
NODE = """#!/bin/sh
case "$*" in *"--node n1 "*) echo $$ >{group}/cgroup.procs;; esac
exec {node} "$@"
"""

# Datagrams that fill packets, each from so many ports, again and again.
FLOOD = """
import socket, sys
links = [socket.socket(type=socket.SOCK_DGRAM) for _ in range(int(sys.argv[2]))]
for _ in range(int(sys.argv[3])):
    for link in links:
        link.sendto(bytes(970), (sys.argv[1], 9))
"""


@dataclass(frozen=True)
class Group:
    """A control group whose processes may have so much memory together."""

    folder: Path
    limit: str
    peak: str
    events: str

    def number(self, file: str, name: str = "") -> int:
        """Return a number of a file, or of its line that begins with a name."""
        lines = (self.folder / file).read_text().splitlines()
        [line] = [line for line in lines if line.split()[:-1] == name.split()]
        return int(line.split()[-1])


@pytest.fixture
def group() -> Iterator[Group]:
    """Make a control group with little memory; skips where none can be made."""
    name = f"multihop-{os.getpid()}"
    second = Group(GROUPS / name, "memory.max", "memory.peak", "memory.events")
    # cgroup v1, or both side by side
    names = ("memory.limit_in_bytes", "memory.max_usage_in_bytes", "memory.oom_control")
    first = Group(GROUPS / "memory" / name, *names)
    group = first if first.folder.parent.is_dir() else second
    try:
        if group is second:
            (GROUPS / "cgroup.subtree_control").write_text("+memory")
        group.folder.mkdir()
        (group.folder / group.limit).write_text(str(ENOUGH))
    except OSError as error:
        pytest.skip(f"no control group for memory can be made here: {error}")
    try:
        yield group
    finally:
        eventually("its processes end", lambda: not (group.folder / "cgroup.procs").read_text())
        group.folder.rmdir()


@needs_linux
@pytest.mark.parametrize("scheme", ["cxcc", "hxh", "udp"])
def test_a_member_s_floods_need_no_more_memory_than_the_pages_say(
    scheme: str, home: Path, group: Group, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node, ether = (tools.program(f"multihop-{name}") for name in ("node", "ether"))
    (tmp_path / "multihop-ether").symlink_to(ether)
    script = tmp_path / "multihop-node"
    script.write_text(NODE.format(group=group.folder, node=shlex.quote(node)))
    script.chmod(0o755)
    monkeypatch.setenv("MULTIHOP_BIN", str(tmp_path))
    options = Options(time_scale=0.05, sealed=True)
    with Lab.up(chain(2, scheme), "memory", options) as lab:
        [victim] = lab.processes("multihop-node", "--node", "n1")
        before = group.number(group.peak)
        # more flows than a node keeps of others' ends, and more packets than it takes
        for there, ports, packets in (("n1", 1_300, 2), ("n1", 100, 100), ("n2", 300, 5)):
            lab.run("n0", python(FLOOD, there, str(ports), str(packets)))
        # flows of its own
        lab.run("n1", python(FLOOD, "n0", "100", "10"))
        eventually("they arrive", lambda: counter(lab, 1, "to_applications") > 300)
        assert lab.run("n2", python(PING, "n1"), timeout=60) == "(7, 1)\n"
        assert lab.processes("multihop-node", "--node", "n1") == [victim], "it has never ended"
        assert group.number(group.events, "oom_kill") == 0
        assert before < group.number(group.peak) <= ENOUGH
