"""Routing daemons on bad days: the page's sentences, and the link model of the program."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from multihop.lab import Lab, Options
from tests.daemons import DAYS, ROOT, cases
from tests.labs import PING, needs_linux, python

sys.path.insert(0, str(ROOT / "benches"))
import daemons as program

RUNS = 3


def times(daemon: str, network: str, day: str, column: str = "start_s") -> list[Any]:
    return [run[column] for run in cases()[daemon, network, day]]


def test_every_case_was_run_three_times() -> None:
    wanted = {
        (daemon, network, day)
        for daemon in ("babeld", "bird")
        for network, days in (("medium", DAYS), ("links", ("good", "bad")))
        for day in days
    }
    assert {case: len(runs) for case, runs in cases().items()} == dict.fromkeys(wanted, RUNS)


def test_a_busy_stranger_delays_the_first_route_of_babeld() -> None:
    good, busy = times("babeld", "medium", "good"), times("babeld", "medium", "busy")
    assert min(busy) > max(good)
    assert max(busy) > 2 * max(good)


def test_on_the_bad_day_there_is_hardly_a_route_on_the_medium_and_one_on_links() -> None:
    for daemon in ("babeld", "bird"):
        found = [run for run in cases()[daemon, "medium", "bad"] if run["start_s"] is not None]
        assert len(found) <= 1
        assert all(run["rest_lost"] > 0.5 and run["repair_s"] is None for run in found)
        good, bad = times(daemon, "links", "good"), times(daemon, "links", "bad")
        assert max(bad) < 1.5 * max(good)
        assert max(times(daemon, "links", "bad", "rest_lost")) == 0
        assert None not in times(daemon, "links", "bad", "repair_s")


def test_on_the_good_and_the_busy_day_pings_pass_at_rest() -> None:
    for (_, _, day), runs in cases().items():
        if day != "bad":
            assert max(run["rest_lost"] for run in runs) <= 0.05


def test_the_network_is_what_the_page_draws() -> None:
    wanted = {("left", "upper"), ("left", "lower"), ("upper", "right"), ("lower", "right")}
    wanted |= {("right", "sender"), ("sender", "receiver")}
    assert set(program.links()) == wanted
    assert len(json.loads(program.scenario().json)["node"]) == len(program.PLACES)


def test_pings_are_counted_by_their_answers(tmp_path: Path) -> None:
    file = tmp_path / "pings"
    file.write_text("sent 1 10.0\nsent 2 10.2\nanswered 2 10.3\nsent 3 10.4\nanswered 1 11.5\nse")
    assert program.pings(file) == [(10.0, False), (10.2, True), (10.4, False)]


def test_runs_replace_those_of_their_case_and_leave_others(tmp_path: Path) -> None:
    file = tmp_path / "runs.json"
    case = {"daemon": "babeld", "network": "links", "day": "good"}
    program.keep(file, [{**case, "start_s": 1.0}, {**case, "day": "bad", "start_s": 2.0}])
    program.keep(file, [{**case, "start_s": 3.0}])
    assert [run["start_s"] for run in json.loads(file.read_text())["runs"]] == [2.0, 3.0]


@needs_linux
@pytest.mark.engine
@pytest.mark.skipif(
    not all(shutil.which(name, path="/usr/sbin:/sbin:/usr/bin:/bin") for name in ("tc", "nft")),
    reason="no tc or nft: apt install iproute2 nftables",
)
def test_links_have_a_rate_and_a_node_that_is_killed_is_silent(home: Path) -> None:
    with Lab.up(program.scenario(), "test", Options(ports="ethernet", respawn_s=-1.0)) as lab:
        network = program.Network(lab, "links")
        assert network.devices["left"] == ["to-upper", "to-lower"]
        for here, there in (("left", "upper"), ("upper", "left")):
            words = ("route", "add", lab.addresses[there], "dev", network.device_to(here, there))
            network.ip(here, *words)
        assert lab.run("left", python(PING, "upper")) == "(7, 1)\n"
        frames = "import socket, sys, time; link = socket.socket(type=socket.SOCK_DGRAM); "
        frames += "link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4000); "
        frames += "[link.sendto(bytes(1000), (sys.argv[1], 9)) for _ in range(100)]"
        begun = time.monotonic()
        lab.run("left", [sys.executable, "-S", "-c", frames, "upper"])
        # 100 frames of 1042 bytes, but for those that wait still
        assert time.monotonic() - begun > 0.9 * 97 * 1042 * 8 / (program.RATE_MBIT * 1e6)
        network.kill("upper")
        silent = PING.replace("settimeout(60)", "settimeout(0.5)")
        with pytest.raises(subprocess.CalledProcessError):
            lab.run("left", python(silent, "upper"), stderr=subprocess.DEVNULL)
