"""A node is expelled by one command: its authority's next roster goes from node to node."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from multihop.lab import Lab, Options, tools
from tests.labs import PING, application, chain, counter, eventually, needs_linux, python
from tests.test_lab import FETCH, SERVE, processes
from tests.test_lab_keys import ASKING, ECHO, status

pytestmark = [pytest.mark.engine, needs_linux]

NAMES = ("n0", "n1", "n2", "n3")
# So many seconds of the medium nodes seal with the key of before.
GRACE_S = 10


def program(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [tools.program("multihop-node"), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True)


def said(*words: str | Path) -> str:
    done = program(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class Operator:
    """Who has the authority's key, at home."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.authority = said("authority", home / "authority.key")
        self.identities = {name: said("identity", home / f"{name}.identity") for name in NAMES}
        for name in NAMES:
            self.configure(name)

    def configure(self, name: str) -> None:
        identity = f'identity = "{self.home}/{name}.identity"\n'
        authority = f'authority = "{self.authority}"\n'
        (self.home / f"{name}.toml").write_text(identity + authority)

    def flags(self) -> tuple[str, ...]:
        identity = f"{self.home}/{{node}}.identity"
        return ("--config", f"{self.home}/{{node}}.toml", "--identity", identity)

    def make(self, lab: Lab, *members: str) -> str:
        """Make the next roster, and return what the program says."""
        lines = [f'{name} = "{self.identities[name]}"\n' for name in members]
        (self.home / "members.toml").write_text("".join(lines))
        scenario = f"{lab.plan.folder}/scenario.json"
        files = [self.home / name for name in ("authority.key", "members.toml", "roster")]
        return said("roster", "--scenario", scenario, "--grace", str(GRACE_S), *files)

    def spread(self, lab: Lab, node: str) -> subprocess.CompletedProcess[str]:
        return program("spread", lab.plan.control(node), self.home / "roster")


def number(lab: Lab, node: int) -> int:
    found: dict[str, Any] = status(lab, node).get("roster") or {}
    return int(found.get("number", 0)) if found.get("since_s") is not None else 0


def has_changed(lab: Lab, roster: int, *nodes: int) -> bool:
    """Return whether nodes have this roster, and one key."""
    all_ = [status(lab, node) for node in nodes]
    keys = {(one.get("key"), one.get("other_key")) for one in all_}
    return (
        all(number(lab, node) == roster for node in nodes)
        and len(keys) == 1
        and all(one.get("key") and not one.get("other_key") for one in all_)
    )


def test_a_node_is_expelled_by_one_command_and_one_that_was_off_catches_up(
    home: Path, tmp_path: Path
) -> None:
    operator = Operator(tmp_path)
    assert said("identity", tmp_path / "n0.identity") == operator.identities["n0"]
    file = tmp_path / "file"
    file.write_bytes(bytes(n * n % 251 for n in range(400_000)))
    options = Options(time_scale=0.3, node_flags=operator.flags())
    with Lab.up(chain(3), "test", options) as lab:
        before = {name: pid for name in NAMES for pid in processes(home, "--node", name)}
        assert status(lab, 0)["key"] is None
        assert "no roster has come yet" in said("status", lab.plan.control("n0"))
        made = operator.make(lab, *NAMES)
        assert made.splitlines()[0].endswith(": 4 members")
        assert made.splitlines()[1] == "new: n0, n1, n2, n3"
        assert operator.spread(lab, "n0").returncode == 0
        eventually("all have the key of the first", lambda: has_changed(lab, 1, 0, 1, 2, 3))
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
            ):
                assert fetch.stdout is not None
                assert asking.stdout is not None
                assert int(fetch.stdout.readline()) > 0
                assert "answer\n" in (asking.stdout.readline() for _ in range(100))
                # one command, to any node
                assert operator.make(lab, "n0", "n1", "n2").endswith("\nexpelled: n3")
                spread = operator.spread(lab, "n1")
                assert spread.stdout == (
                    "the node has taken roster 2; the others get it from each other\n"
                )
                assert operator.spread(lab, "n1").stdout == "the node has roster 2 already\n"
                eventually("the others have changed", lambda: has_changed(lab, 2, 0, 1, 2))
                lines = fetch.stdout.read().split()
                assert lines[-1] == hashlib.sha256(file.read_bytes()).hexdigest()
                asking.kill()
                assert asking.stdout.read().split()[-1] == "silence"
        eventually("it knows", lambda: status(lab, 3)["key"] is None)
        assert status(lab, 3)["key_lacks"] == "roster 2 has no entry for this node"
        assert "this node is none of them" in lab.plan.log("n3").read_text()
        assert lab.run("n0", python(PING, "n2")) == "(7, 1)\n"
        assert {name: pid for name in NAMES for pid in processes(home, "--node", name)} == before
        # n2 cannot start while the key changes again
        (tmp_path / "n2.toml").unlink()
        os.kill(before["n2"], signal.SIGKILL)
        old = (tmp_path / "roster").read_text()
        operator.make(lab, "n0", "n1", "n2")
        assert operator.spread(lab, "n0").returncode == 0
        eventually("the others have changed", lambda: has_changed(lab, 3, 0, 1))
        operator.configure("n2")
        eventually("it has caught up", lambda: has_changed(lab, 3, 0, 1, 2))
        assert lab.run("n0", python(PING, "n2")) == "(7, 1)\n"
        assert counter(lab, 2, "roster_parts") == 1
        # the roster counts after a restart, and an older one does not
        os.kill(before["n1"], signal.SIGKILL)
        eventually("it is back", lambda: processes(home, "--node", "n1") != [before["n1"]])
        eventually("it has its roster", lambda: number(lab, 1) == 3)
        assert lab.run("n0", python(PING, "n2")) == "(7, 1)\n"
        (tmp_path / "roster").write_text(old)
        refused = operator.spread(lab, "n1")
        assert refused.returncode == 1
        assert "roster 2: the node has a newer roster" in refused.stderr
        people = said("status", lab.plan.control("n1"))
        assert "\nroster      3: 1 of 1 parts, 3 members, complete for " in people
