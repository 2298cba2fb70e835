"""Nodes that broadcast on network interfaces, in place of an ether."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pytest

from multihop.engine.errors import LabError
from multihop.lab import Lab, Options, tools
from tests.labs import (
    PING,
    SPRAY,
    application,
    chain,
    counter,
    eventually,
    needs_linux,
    python,
)

pytestmark = [
    pytest.mark.engine,
    needs_linux,
    pytest.mark.skipif(shutil.which("ip") is None, reason="no ip: apt install iproute2"),
]


def test_sealed_frames_are_broadcast_on_ethernet(home: Path) -> None:
    with Lab.up(chain(2), "wire", Options(sealed=True, wire=True)) as lab:
        assert lab.run("n0", python(PING, "n2")) == "(7, 1)\n"
        # n1 passes on what n0 cannot send to n2 itself, and n2 overhears n0
        assert counter(lab, 1, "frames_sent") >= 2
        assert counter(lab, 2, "frames_heard") > counter(lab, 2, "frames_sent")
        # somebody without the key, on the same wire
        noise = "import socket, sys; s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); "
        noise += "s.bind((sys.argv[1], 0)); "
        noise += (
            "[s.send(b'\\xff' * 6 + b'\\x02' * 6 + b'\\x88\\xb5' + bytes.fromhex(sys.argv[2])) "
        )
        noise += "for _ in range(100)]"
        frame = "010000400000000000000001" + 64 * "5a"
        lab.run("n0", python(noise, "radio0", frame))
        eventually("all are refused", lambda: counter(lab, 1, "not_authentic") == 100)
        assert lab.run("n2", python(PING, "n0")) == "(7, 1)\n"
        with pytest.raises(LabError, match="radio0"):
            lab.capture(io.BytesIO())


def test_two_nodes_of_one_name_know_of_each_other_and_end_nothing(home: Path) -> None:
    with Lab.up(chain(2), "wire", Options(wire=True)) as lab:
        assert lab.run("n0", python(PING, "n2")) == "(7, 1)\n"
        # in a network of its own, whose route is not that of the other device
        twin = [*lab.plan.node, "--node", "n1", "--tun", "twin0", "--network", "172.20.0.0/16"]
        said = lambda: lab.plan.log("n1").read_text()  # noqa: E731

        def heard() -> bool:
            # what it forwards, once it is up
            lab.run("n0", python(SPRAY, "n2"))
            return "another node has this address" in said()

        with application(lab, "n2", twin, stderr=subprocess.DEVNULL) as other:
            eventually("it is said", heard)
            assert other.poll() is None, "the other one goes on, too"
        # over the relay, beside which another has spoken in its name
        assert lab.run("n0", python(PING, "n2")) == "(7, 1)\n"
        assert lab.run("n2", python(PING, "n0")) == "(7, 1)\n"
        assert said().count("another node has this address") == 1, "once"


def test_an_interface_that_goes_down_or_is_another_one_is_lost_and_comes_back(home: Path) -> None:
    with Lab.up(chain(1), "wire", Options(wire=True)) as lab:

        def link(*words: str) -> None:
            lab.run("n0", [tools.ip(), "link", *words])

        def has_radio() -> bool:
            return bool(lab.status()["nodes"][0]["radio"])

        link("set", "radio0", "down")
        eventually("it is lost", lambda: not has_radio())
        link("set", "radio0", "up")
        eventually("it is back", has_radio)
        link("del", "radio0")
        eventually("it is lost again", lambda: not has_radio())
        link("add", "radio0", "type", "veth", "peer", "name", "other0")
        link("set", "radio0", "up")
        eventually("another one is in its place", has_radio)
        # What is too long for the new one fails, and it is said.
        link("set", "radio0", "mtu", "100")
        lab.run("n0", python(SPRAY, "n1"))
        said = lab.plan.log("n0")
        eventually("it is said", lambda: "are too long for radio0" in said.read_text())
        assert counter(lab, 0, "frames_failed") >= 1
