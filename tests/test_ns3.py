"""Runs in ns-3: how the program is found and asked, and, where it is built, what it finds.

`make ns3-test` builds it and runs all of this; `make test` does without it.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import polars as pl
import pytest

from multihop import (
    FailedError,
    Ns3Error,
    Scenario,
    ScenarioError,
    compare,
    prototype,
    record,
    run,
    run_many,
    schemes,
    sweep,
)
from multihop._multihop import Cancel, Interrupted
from multihop.engine.programs import find
from multihop.running import ns3
from multihop.running.ns3 import by_its_rules
from multihop.scenario.form import simulator_of
from multihop_validation import drawn, ns3_drawn
from multihop_validation.store import DATA
from tests.conftest import TINY, Cli
from tests.sweeping import stored

pytestmark = pytest.mark.engine

BUILT = bool(os.environ.get("MULTIHOP_NS3"))
needs_ns3 = pytest.mark.skipif(not BUILT, reason="make ns3-test builds it")

OVERLOAD = """
warmup = "5 s"
duration = "30 s"
topology = { kind = "bidirectional-chain", hops = 6 }
scheme = { name = "udp" }
traffic = { load = "400 kbit/s" }
"""


def pretend(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Put a program of this name into a folder of its own, in which it is looked for."""
    program = folder / ns3.PROGRAM
    program.write_text(f"#!{sys.executable}\nimport json, sys, time\n{body}\n")
    program.chmod(0o755)
    monkeypatch.setenv("MULTIHOP_BIN", str(folder))


def balanced(flows: pl.DataFrame) -> bool:
    accounted = pl.col("run_delivered") + pl.col("run_inside") + pl.col("run_lost")
    return bool(flows.select((pl.col("run_offered") == accounted).all()).item())


def test_what_the_program_prints_are_the_tables(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = base.with_(simulator="ns3")
    printed = {"runs": {"name": ["tiny"], "goodput_bit_s": [5.5, None], "delivered": [1, 2]}}
    given = tmp_path / "given.json"
    pretend(
        tmp_path,
        monkeypatch,
        f"open({str(given)!r}, 'w').write(sys.stdin.read()); print({json.dumps(printed)!r})",
    )
    with pytest.raises(pl.exceptions.ShapeError):
        run(asked)
    assert Scenario(given.read_text()) == asked
    printed["runs"]["name"] = ["tiny", "tiny"]
    pretend(tmp_path, monkeypatch, f"sys.stdin.read(); print({json.dumps(printed)!r})")
    result = run(asked)
    assert result.runs.schema["goodput_bit_s"] == pl.Float64
    assert math.isnan(result.runs["goodput_bit_s"][1])
    assert result.runs["delivered"].to_list() == [1, 2]


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("sys.exit('mac.timing: no')", Ns3Error, r"ns-3 has failed \(1\): mac.timing: no"),
        ("print('mac.timing: no', file=sys.stderr); sys.exit(2)", ScenarioError, "^mac.timing: no"),
        ("sys.exit(3)", Ns3Error, r"ns-3 has failed \(3\): silently"),
    ],
)
def test_what_the_program_complains_of_is_an_error(
    base: Scenario,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    body: str,
    error: type[Exception],
    message: str,
) -> None:
    asked = base.with_(simulator="ns3")
    pretend(tmp_path, monkeypatch, f"sys.stdin.read(); {body}")
    with pytest.raises(error, match=message):
        run(asked)


def test_without_the_program_the_remedy_is_named(
    tiny: Path, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("multihop.running.ns3.find", lambda _: None)
    done = cli("run", tiny, "--set", "simulator=ns3")
    assert done.returncode == 1
    assert "make ns3" in done.stderr
    assert "MULTIHOP_BIN" in done.stderr


def test_a_run_that_is_cancelled_ends_its_process(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began = tmp_path / "began"
    body = f"open({str(began)!r}, 'w').write(str(__import__('os').getpid())); time.sleep(600)"
    pretend(tmp_path, monkeypatch, body)
    cancel = Cancel()
    ended: list[BaseException] = []

    def job() -> None:
        try:
            ns3.simulate(base, cancel=cancel)
        except Interrupted as error:
            ended.append(error)

    thread = threading.Thread(target=job)
    thread.start()
    while not (began.exists() and began.read_text()):
        time.sleep(0.01)
    cancel.cancel()
    thread.join(timeout=60)
    assert ended
    with pytest.raises(ProcessLookupError):
        os.kill(int(began.read_text()), signal.SIGCONT)


def test_what_ns3_does_not_do_is_refused(
    base: Scenario, tiny: Path, cli: Cli, tmp_path: Path
) -> None:
    asked = base.with_(simulator="ns3")
    for does in (
        lambda: run(asked, events=True),
        lambda: run(asked, trace=tmp_path / "trace"),
        lambda: record(asked, "n0", tmp_path / "recording"),
    ):
        with pytest.raises(ScenarioError, match="simulator: only runs without a trace"):
            does()
    assert not (tmp_path / "trace").exists()
    with pytest.raises(ScenarioError, match="unknown value 'ns2', did you mean 'ns3'"):
        base.with_(simulator="ns2")
    done = cli("pcap", tiny, "--set", "simulator=ns3", "--out", tmp_path / "air.pcapng")
    assert done.returncode == 2
    assert "simulator: only runs without a trace" in done.stderr
    done = cli("run", tiny, "--set", "simulator=ns3", "--set", "mac.timing=ofdm-5")
    assert done.returncode == 2
    assert "mac.timing" in done.stderr
    assert "dsss" in done.stderr


@pytest.mark.parametrize("name", ['"simulator": "ns3"', 'simulator": "ns3'])
def test_a_text_that_looks_like_the_key_is_none(base: Scenario, name: str) -> None:
    assert simulator_of(base.with_(name=name).json) == "multihop"
    assert simulator_of(base.with_(simulator="multihop").json) == "multihop"
    assert simulator_of(base.with_(simulator="ns3", name=name).json) == "ns3"


# ---- sweeps --------------------------------------------------------------------------------------

# What only our own radios count.
OURS = {"transmit_s", "receive_s", "idle_s", "collisions", "capture_lost", "bit_errors"}


def pretend_tables(folder: Path, monkeypatch: pytest.MonkeyPatch, more: str = "") -> Path:
    """Pretend a program whose runs are ours, but for what ns-3 does not count; it notes each."""
    notes = folder / "notes"
    pretend(
        folder,
        monkeypatch,
        f"""{more}
from multihop import Scenario, run
asked = Scenario(sys.stdin.read())
open({str(notes)!r}, "a").write("x")
tables = run(asked.with_(simulator=None)).to_dict()
columns = lambda rows: {{key: [row[key] for row in rows] for key in rows[0]}} if rows else {{}}
tables = {{name: columns(rows) for name, rows in tables.items()}}
for key in {sorted(OURS)!r}:
    del tables["nodes"][key]
print(json.dumps(tables))""",
    )
    return notes


@pytest.mark.long
def test_a_sweep_sets_both_simulators_side_by_side(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = pretend_tables(tmp_path, monkeypatch)
    vary = {"simulator": ["multihop", "ns3"], "seed": [1, 2]}
    both = sweep(base, vary, tmp_path / "out", progress=False)
    ours, theirs = (both.runs.filter(simulator=where) for where in ("multihop", "ns3"))
    assert ours["seed"].to_list() == theirs["seed"].to_list() == [1, 2]
    assert ours["fingerprint"].to_list() == theirs["fingerprint"].to_list()
    assert both.series.filter(simulator="ns3").height == both.series.height / 2
    for key in OURS:
        assert both.nodes.filter(simulator="multihop")[key].null_count() == 0, key
        assert both.nodes.filter(simulator="ns3")[key].is_null().all(), key
    # What a batch has cost is shared evenly among its runs, which are of one simulator.
    for file in (tmp_path / "out" / "parts").glob("*/nodes.parquet"):
        assert pl.read_parquet(file)["transmit_s"].is_null().n_unique() == 1
    # A second call runs nothing; parts of one simulator alone fit those of both.
    assert notes.read_text() == "xx"
    vary = {"simulator": ["ns3", "multihop"], "seed": [1, 2, 3]}
    more = sweep(base, vary, tmp_path / "out", progress=False)
    assert notes.read_text() == "xxx"
    assert more.nodes.schema == both.nodes.schema
    # Another program may find something else.
    pretend_tables(tmp_path, monkeypatch, "# another build")
    sweep(base, vary, tmp_path / "out", progress=False)
    assert notes.read_text() == "xxxxxx"


@pytest.mark.long
def test_compare_has_a_row_for_each_simulator(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend_tables(tmp_path, monkeypatch)
    vary = {"simulator": ["multihop", "ns3"]}
    found = compare(base, ["udp", "cxcc"], vary, out=tmp_path / "out", progress=False).table
    assert found.select("simulator", "scheme").rows() == [
        ("multihop", "udp"), ("multihop", "cxcc"), ("ns3", "udp"), ("ns3", "cxcc"),
    ]  # fmt: skip
    assert found["goodput_bit_s"].null_count() == 0


def test_a_run_that_ns3_refuses_is_a_failed_run(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(tmp_path, monkeypatch, "print('no room', file=sys.stderr); sys.exit(1)")
    with pytest.raises(FailedError, match=r"1 of 2 runs failed, simulator = ns3 .*no room"):
        sweep(base, {"simulator": ["multihop", "ns3"]}, tmp_path / "out", progress=False)


def test_sweeps_in_ns3_need_the_program_and_this_machine(
    base: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = base.with_(simulator="ns3")
    with pytest.raises(Ns3Error, match="on this machine only"):
        sweep(asked, {"seed": [1]}, tmp_path / "out", on="tcp://nowhere:1", progress=False)
    monkeypatch.setattr("multihop.running.ns3.find", lambda _: None)
    with pytest.raises(Ns3Error, match="make ns3"):
        sweep(asked, {"seed": [1]}, tmp_path / "out", progress=False)
    assert not stored(tmp_path / "out")


def test_a_scheme_in_python_is_refused(base: Scenario) -> None:
    class Own(prototype.CongestionControl):
        def on_ack(self, context: prototype.Context, tcp: prototype.Tcp) -> None:
            tcp.window += 1

    prototype.register(prototype.Scheme("own", control=Own))
    try:
        with pytest.raises(Ns3Error, match="scheme in Python"):
            run(base.with_(**{"scheme.name": "own", "simulator": "ns3"}))
    finally:
        prototype.unregister("own")


# ---- in ns-3 -------------------------------------------------------------------------------------


@needs_ns3
@pytest.mark.parametrize(
    ("scheme", "routing"),
    [
        *((scheme["name"], "fixed") for scheme in schemes() if not scheme["floods"]),
        *((scheme, routing) for scheme in ("udp", "cxcc", "hxh") for routing in ("aodv", "dsr")),
    ],
)
def test_schemes_deliver_in_ns3_and_their_books_balance(scheme: str, routing: str) -> None:
    scenario = Scenario.from_toml(TINY).with_(
        **{"scheme.name": scheme, "routing.kind": routing, "duration": "5 s", "seed": 2}
    )
    result = run(scenario.with_(simulator="ns3"))
    assert balanced(result.flows)
    assert result.flows["run_delivered"].item() > 50
    ours = run(scenario)
    assert result.runs.columns == ours.runs.columns
    assert result.flows.schema == ours.flows.schema
    assert set(result.nodes.columns) < set(ours.nodes.columns)
    assert result.nodes["name"].to_list() == ours.nodes["name"].to_list()


@needs_ns3
def test_below_the_knee_ns3_and_this_simulator_agree() -> None:
    light = Scenario.from_toml(OVERLOAD).with_(**{"traffic.load": "40 kbit/s"})
    there, here = (run(light.with_(simulator=where)).runs for where in ("ns3", "multihop"))
    assert there["goodput_bit_s"].item() == pytest.approx(here["goodput_bit_s"].item(), rel=0.02)
    assert there["network_delay_mean_s"].item() == pytest.approx(
        here["network_delay_mean_s"].item(), rel=0.1
    )


@needs_ns3
@pytest.mark.parametrize(
    ("rate", "rts"), [("1 Mbit/s", False), ("2 Mbit/s", True), ("11 Mbit/s", False)]
)
def test_a_packet_alone_takes_as_long_as_in_ns3_by_its_rules(rate: str, rts: bool) -> None:
    transfer = Scenario.from_toml(OVERLOAD).override(
        {
            "duration": "10 s",
            "topology.kind": "chain",
            "topology.hops": 4,
            "scheme.name": "newreno",
            "scheme.window_limit": 1,
            "mac": {"data_rate": rate, "rts_cts": rts},
            "traffic": {"kind": "ftp", "payload": "500 B"},
        }
    )
    there = transfer.with_(simulator="ns3")
    goodputs = [run(one).runs["goodput_bit_s"].item() for one in (there, by_its_rules(there))]
    assert goodputs[0] == pytest.approx(goodputs[1], rel=0.003)


@needs_ns3
def test_shadowing_in_ns3_loses_as_many_frames_as_here() -> None:
    shadowed = Scenario.from_toml(OVERLOAD).override(
        {
            "topology": {"kind": "chain", "hops": 1, "spacing": "250 m"},
            "radio": {"propagation": "log-normal-shadowing", "range_probability": 0.8},
            "traffic.load": "200 kbit/s",
            "simulator": "ns3",
        }
    )
    attempts = []
    for one in (shadowed, by_its_rules(shadowed)):
        sender = run(one).nodes.row(0, named=True)
        attempts.append(sender["mac_retries"] / sender["mac_served"])
    # Data and acknowledgment have to arrive: 0.64 of all exchanges are good.
    assert attempts[0] == pytest.approx(0.36 / 0.64, rel=0.1)
    assert attempts[0] == pytest.approx(attempts[1], rel=0.1)


@needs_ns3
@pytest.mark.parametrize("scheme", ["udp", "cxcc", "wake"])
def test_under_shadowing_schemes_do_in_ns3_what_they_do_here_by_its_rules(scheme: str) -> None:
    shadowed = Scenario.from_toml(OVERLOAD).override(
        {
            "scheme.name": scheme,
            "topology.kind": "chain",
            "radio.propagation": "log-normal-shadowing",
            "simulator": "ns3",
        }
    )
    found = [run(one).runs.row(0, named=True) for one in (shadowed, by_its_rules(shadowed))]
    assert found[0]["goodput_bit_s"] == pytest.approx(found[1]["goodput_bit_s"], rel=0.1)
    assert found[0]["network_delay_mean_s"] == pytest.approx(
        found[1]["network_delay_mean_s"], rel=0.15
    )


@needs_ns3
def test_in_ns3_too_udp_collapses_and_cxcc_does_not() -> None:
    schemes = {scheme: Scenario.from_toml(OVERLOAD) for scheme in ("udp", "cxcc")}
    scenarios = [
        one.with_(**{"scheme.name": scheme, "simulator": "ns3"}) for scheme, one in schemes.items()
    ]
    udp, cxcc = (result.runs.row(0, named=True) for result in run_many(scenarios, progress=False))
    assert cxcc["goodput_bit_s"] > 2 * udp["goodput_bit_s"]
    assert cxcc["network_delay_mean_s"] < udp["network_delay_mean_s"] / 4
    assert cxcc["overhead"] < udp["overhead"] / 2


@needs_ns3
def test_a_seed_gives_the_same_run_in_ns3_and_another_one_another() -> None:
    base = Scenario.from_toml(TINY)
    seeds = [1, 1, 2]
    results = run_many([base.with_(seed=seed, simulator="ns3") for seed in seeds], progress=False)
    first, again, other = (result.runs["fingerprint"].item() for result in results)
    assert first == again
    assert first != other


@needs_ns3
def test_nodes_move_in_ns3_as_they_do_here() -> None:
    # The destination walks away, out of reach, and comes back.
    scenario = Scenario.from_toml("""
    warmup = "1 s"
    duration = "60 s"
    topology = { kind = "explicit" }
    scheme = { name = "udp" }
    routing = { kind = "aodv" }
    node = [{ name = "a", x = "0 m", y = "0 m" }, { name = "b", x = "100 m", y = "0 m" }]
    flow = [{ from = "a", to = "b" }]
    move = [
        { node = "b", at = "10 s", x = "900 m", y = "0 m", speed = "80 m/s" },
        { node = "b", at = "40 s", x = "100 m", y = "0 m", speed = "80 m/s" },
    ]
    traffic = { load = "40 kbit/s" }
    """)
    for where in ("ns3", "multihop"):
        series = run(scenario.with_(simulator=where)).series
        delivered = dict(zip(series["time_s"], series["delivered"], strict=True))
        assert sum(count for at, count in delivered.items() if at < 10) > 50, where
        assert sum(count for at, count in delivered.items() if 16 < at < 44) == 0, where
        assert sum(count for at, count in delivered.items() if at > 52) > 20, where


@needs_ns3
def test_a_sweep_in_ns3_is_that_of_its_runs(tmp_path: Path) -> None:
    base = Scenario.from_toml(TINY).with_(simulator="ns3")
    swept = sweep(base, {"seed": [1, 2]}, tmp_path, progress=False)
    alone = run_many([base.with_(seed=seed) for seed in (1, 2)], progress=False)
    assert swept.runs["fingerprint"].to_list() == [one.runs["fingerprint"].item() for one in alone]
    assert set(swept.nodes.columns) >= OURS


@needs_ns3
def test_the_program_reads_toml_and_writes_captures(tmp_path: Path) -> None:
    program = find(ns3.PROGRAM)
    assert program
    done = subprocess.run(
        [program, "--pcap=air"], input=TINY, text=True, cwd=tmp_path, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["runs"]["name"] == ["tiny"]
    captures = sorted(tmp_path.glob("air-*.pcap"))
    assert len(captures) == 4
    assert all(capture.stat().st_size > 1000 for capture in captures)
    wrong = subprocess.run([program], input="sheme = 1", text=True, capture_output=True)
    assert wrong.returncode == ns3.WRONG_INPUT
    assert "unknown key 'sheme'" in wrong.stderr


@needs_ns3
def test_a_drawn_scenario_gives_what_is_stored(tmp_path: Path) -> None:
    stored_runs = drawn.read(DATA, ns3_drawn.RECORDED_RUNS)
    case = next(case for case in stored_runs if case.number == 1007)
    (tmp_path / drawn.CASES).write_text(json.dumps([case.drawn]), encoding="utf-8")
    ns3_drawn.record(tmp_path, seeds=1, progress=False)
    (again,) = drawn.read(tmp_path, ns3_drawn.RECORDED_RUNS).values()
    assert again.flows[0] == stored_runs[case].flows[0]
