"""A node is expelled: the others change the network's key while they carry traffic."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from multihop.lab import Lab, Options, tools
from tests.labs import PING, application, chain, counter, eventually, needs_linux, python
from tests.test_lab import FETCH, SERVE, processes

pytestmark = [pytest.mark.engine, needs_linux]

# Says every tenth of a second whether the other node answers.
ASKING = """
import socket, sys
with socket.socket(type=socket.SOCK_DGRAM) as link:
    link.settimeout(0.1)
    while True:
        link.sendto(b"hello", (sys.argv[1], 9))
        try:
            link.recv(10)
        except TimeoutError:
            print("silence", flush=True)
        else:
            print("answer", flush=True)
"""

# Gives back what comes.
ECHO = """
import socket
with socket.socket(type=socket.SOCK_DGRAM) as link:
    link.bind(("", 9))
    print("ready", flush=True)
    while True:
        data, whence = link.recvfrom(100)
        link.sendto(data, whence)
"""


def draw(path: Path) -> None:
    subprocess.run([tools.program("multihop-node"), "key", str(path)], check=True)


def reload(home: Path, node: str) -> None:
    [process] = processes(home, "--node", node)
    os.kill(process, signal.SIGHUP)


def status(lab: Lab, node: int) -> dict[str, Any]:
    found: dict[str, Any] = lab.status()["nodes"][node]
    return found


def test_a_key_changes_under_traffic_and_a_node_without_the_new_one_is_out(
    home: Path, tmp_path: Path
) -> None:
    names = ["n0", "n1", "n2", "n3"]
    # n3 is expelled
    members = names[:3]
    draw(tmp_path / "old")
    draw(tmp_path / "new")
    for name in names:
        shutil.copy(tmp_path / "old", tmp_path / f"{name}.key")
        (tmp_path / f"{name}.toml").write_text("")
    flags = ("--config", f"{tmp_path}/{{node}}.toml", "--key", f"{tmp_path}/{{node}}.key")
    file = tmp_path / "file"
    file.write_bytes(bytes(n * n % 251 for n in range(400_000)))
    with Lab.up(chain(3), "test", Options(time_scale=0.3, sealed=True, node_flags=flags)) as lab:
        before = {name: pid for name in names for pid in processes(home, "--node", name)}
        old = status(lab, 0)["key"]
        with (
            application(lab, "n2", python(SERVE, str(file))) as server,
            application(lab, "n3", python(ECHO)) as echo,
        ):
            assert server.stdout is not None
            assert echo.stdout is not None
            assert server.stdout.readline() + echo.stdout.readline() == "ready\nready\n"
            with (
                application(lab, "n0", python(FETCH, "n2")) as fetch,
                application(lab, "n0", python(ASKING, "n3")) as asking,
                application(lab, "n3", python(ASKING, "n0")),
            ):
                assert fetch.stdout is not None
                assert asking.stdout is not None
                assert int(fetch.stdout.readline()) > 0
                assert "answer\n" in (asking.stdout.readline() for _ in range(100))
                # round 1: every node that stays opens frames of the new key, too
                for name in members:
                    shutil.copy(tmp_path / "new", tmp_path / f"{name}.other")
                    other = f'other-key = "{tmp_path}/{name}.other"\n'
                    (tmp_path / f"{name}.toml").write_text(other)
                    reload(home, name)
                    at = int(name[1])
                    eventually("it has both", lambda at=at: status(lab, at)["other_key"])
                new = status(lab, 0)["other_key"]
                # round 2: each seals with the new one, and opens frames of the old one still
                for name in members:
                    key, other = tmp_path / f"{name}.key", tmp_path / f"{name}.other"
                    key.rename(tmp_path / "kept")
                    other.rename(key)
                    (tmp_path / "kept").rename(other)
                    reload(home, name)
                    at = int(name[1])
                    eventually("it seals", lambda at=at: status(lab, at)["key"] == new)
                    assert status(lab, at)["other_key"] == old
                assert counter(lab, 1, "of_other_key") > 0, "also while others are behind"
                assert fetch.poll() is None, "the transfer goes on"
                # round 3: the old one is worth nothing
                for name in members:
                    (tmp_path / f"{name}.toml").write_text("")
                    reload(home, name)
                    at = int(name[1])
                    eventually("it is alone", lambda at=at: status(lab, at)["other_key"] is None)
                lines = fetch.stdout.read().split()
                assert lines[-1] == hashlib.sha256(file.read_bytes()).hexdigest()
                refused = counter(lab, 2, "not_authentic")
                eventually(
                    "the expelled node is heard, and not believed",
                    lambda: counter(lab, 2, "not_authentic") > refused,
                )
                asking.kill()
                assert asking.stdout.read().split()[-1] == "silence"
        assert lab.run("n0", python(PING, "n2")) == "(7, 1)\n"
        assert status(lab, 3)["key"] == old
        assert {name: pid for name in names for pid in processes(home, "--node", name)} == before
        said = lab.plan.log("n1").read_text()
        assert f"the key is another one: {new}; frames of {old} are opened, too" in said
        # a node that comes back knows what it has heard under the new key
        print_ = Path(lab.plan.folder, "n1.heard").read_text().split()[0]
        assert print_.startswith(new)
        # a reload without a readable key changes nothing
        (tmp_path / "n1.key").chmod(0o644)
        reload(home, "n1")
        eventually("it says so", lambda: "chmod 600" in lab.plan.log("n1").read_text())
        assert lab.run("n0", python(PING, "n2")) == "(7, 1)\n"
