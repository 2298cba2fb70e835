"""A policy of the simulator at nodes of a lab: what it decides, real applications feel."""

from __future__ import annotations

from pathlib import Path

import pytest

from multihop import gym
from multihop.gym.controls import Control
from multihop.lab import Lab
from tests.labs import PATIENCE_S, application, chain, needs_linux, python

pytestmark = pytest.mark.engine

# Datagrams that arrive, and from the first to the last of them in s.
COUNT = """
import socket, sys, time
with socket.socket(type=socket.SOCK_DGRAM) as link:
    link.bind(("", 9))
    print("ready", flush=True)
    link.settimeout(100)
    link.recv(2000)
    begin = time.monotonic()
    for _ in range(int(sys.argv[1]) - 1):
        link.recv(2000)
    print(time.monotonic() - begin)
"""

SEND = """
import socket, sys
with socket.socket(type=socket.SOCK_DGRAM) as link:
    for number in range(int(sys.argv[2])):
        link.sendto(bytes(100), (sys.argv[1], 9))
"""


@needs_linux
@pytest.mark.parametrize("step", ["100 ms", "arrived"])
def test_a_policy_paces_applications_in_a_lab(home: Path, step: str) -> None:
    """The longest pace, whatever it sees: datagrams come so far apart, on any machine."""
    pace_s, datagrams = 0.25, 9
    scenario = chain(2)
    task = gym.Task(scenario, control=[Control("pace", 0.01, pace_s)], observe=["queue"], step=step)
    policy = gym.Policy.of(task, [gym.Layer([[0.0]], [1.0])])
    with (
        Lab.up(scenario.with_(**{"policy.text": policy.text}), "policy") as lab,
        application(lab, "n2", python(COUNT, str(datagrams))) as counting,
    ):
        assert counting.stdout is not None
        assert counting.stdout.readline() == "ready\n"
        lab.run("n0", python(SEND, "n2", str(datagrams)))
        took = float(counting.communicate(timeout=PATIENCE_S)[0])
    # The last may catch up with the first a little.
    assert took > (datagrams - 2) * pace_s
