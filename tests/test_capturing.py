"""Captures: what tshark reads in them is what the engine has sent."""

import errno
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from multihop import OutputError, Scenario, Trace, _multihop, capture, routings, run, schemes
from multihop.engine.headers import PAYLOADS
from multihop.running.capturing import dissector, read_headers, write_dissector
from tests.conftest import Cli

pytestmark = pytest.mark.engine

CHAIN = {
    "warmup": "0 s",
    "duration": "1 s",
    "topology": {"kind": "chain", "hops": 3},
    "traffic": {"kind": "ftp", "start": "0.1 s"},
}
# Packets in it come out of frames with real bytes, as their payload has them then.
SHARED = "packets that share frames"
# Every scheme, and every routing protocol, with what asks for addresses.
CASES = {
    **{scheme["name"]: {"scheme": {"name": scheme["name"]}} for scheme in schemes()},
    **{
        routing["name"]: {
            "scheme": {"name": "newreno"},
            "routing": {"kind": routing["name"], "arp": "ns2"},
            "mac": {"rts_cts": True},
        }
        for routing in routings()
        if routing["name"] != "none"  # which asks nobody, and has no headers
    },
    SHARED: {
        "scheme": {"name": "wake", "coding": True, "train": 1},
        "topology": {"kind": "bidirectional-chain", "hops": 4},
    },
}
LAYOUTS = {header["name"]: header for header in _multihop.headers()}
# What follows the last header: data, or a message of routing.
DATA, MESSAGE = 253, 138
needs_tshark = pytest.mark.skipif(
    shutil.which("tshark") is None, reason="tshark is not installed (apt-get install tshark)"
)


def test_names_are_those_that_wireshark_takes() -> None:
    """An abbreviation of Wireshark has letters, digits, `_`, `-` and dots (`check_field_name`)."""
    for header in LAYOUTS.values():
        for name in (
            header["name"],
            header["rest"],
            *(field["name"] for field in header["fields"]),
        ):
            assert re.fullmatch(r"[A-Za-z0-9_.-]*", name), f"{header['name']}: {name}"


def scenario(case: dict[str, object]) -> Scenario:
    traffic: dict[str, object] = dict(CHAIN["traffic"])  # type: ignore[call-overload]
    if case["scheme"] == {"name": "cl"}:
        traffic = {"load": "50 kbit/s", "start": "0.1 s"}
    try:
        return Scenario.from_dict({**CHAIN, "traffic": traffic, **case})
    except _multihop.ScenarioError:
        return Scenario.from_dict(
            {**CHAIN, "traffic": {"load": "50 kbit/s", "start": "0.1 s"}, **case}
        )


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    """Return the frames of a run of every case."""
    folder = tmp_path_factory.mktemp("traces")
    for name, case in CASES.items():
        run(scenario(case), trace=folder / name)
    return {name: Trace(folder / name).scan("frames").collect() for name in CASES}


def test_every_header_of_every_scheme_has_a_layout(traces: dict[str, pl.DataFrame]) -> None:
    for name, frames in traces.items():
        for header in frames["header"].unique():
            packet = header
            at, number = 20, packet[9] if packet else DATA
            known = [layout for layout, _ in read_headers(packet)] if packet else []
            while number < PAYLOADS and number != MESSAGE:
                assert LAYOUTS[known.pop(0)]["number"] == number, name
                number, at = packet[at], at + packet[at + 1]
            if name == SHARED and number == DATA:
                continue
            # DSR says all in its header, and its messages are empty.
            assert len(known) == (at < len(packet)), name
            assert number != DATA or at == max(len(packet), 20), name


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dissector(tmp_path_factory.mktemp("plugin") / "multihop.lua")


def tshark(plugin: Path, file: Path, *arguments: str) -> list[dict[str, list[str]]]:
    done = subprocess.run(
        ["tshark", "-X", f"lua_script:{plugin}", "-r", str(file), "-T", "json", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Lua" not in done.stderr, done.stderr
    return [packet["_source"]["layers"] for packet in json.loads(done.stdout)]


def fields() -> Iterator[tuple[str, str]]:
    for header in _multihop.headers():
        for field in header["fields"]:
            if field["name"]:
                yield header["name"], field["name"]


def number(text: str) -> int:
    """Read a field as tshark prints it."""
    if text.count(".") == 3:
        _, *parts = text.split(".")
        return 0x0A000000 | sum(int(part) << 8 * (2 - at) for at, part in enumerate(parts))
    return int(text, 0)


def merged(folder: Path, files: list[Path]) -> Path:
    """Put captures one behind the other, so that tshark starts once."""
    whole = folder / "whole.pcapng"
    subprocess.run(["mergecap", "-a", "-w", str(whole), *map(str, files)], check=True)
    return whole


@needs_tshark
def test_tshark_reads_every_header_of_every_scheme(
    tmp_path: Path, plugin: Path, traces: dict[str, pl.DataFrame]
) -> None:
    """The values are those of the trace's bytes, which Python reads by the same layouts."""
    files = [capture(scenario(CASES[name]), tmp_path / f"{name}.pcapng") for name in traces]
    frames = pl.concat(traces.values())
    asked = [("-e", f"multihop.{header}.{field}") for header, field in fields()]
    every = ("-e", "frame.comment"), ("-e", "ip.proto"), ("-e", "multihop.malformed")
    packets = tshark(
        plugin, merged(tmp_path, files), *(a for pair in (*every, *asked) for a in pair)
    )
    assert len(packets) == frames.height
    seen = set()
    for packet, header in zip(packets, frames["header"], strict=True):
        assert "multihop.malformed" not in packet
        told = {name: number(value[0]) for name, value in packet.items() if "multihop." in name}
        expected = {
            f"multihop.{name}.{field}": value
            for name, values in read_headers(header)
            for field, value in values.items()
        }
        # An RTS announces a packet, and does not carry it.
        if "ip.proto" in packet:
            assert told == expected
            seen |= {name.split(".")[1] for name in told}
    # These need what these runs do not have: a break, an idle router, a restart.
    assert {header for header, _ in fields()} - seen <= {"aodv_rerr"}


@needs_tshark
def test_wireshark_reads_addresses_times_and_losses(tmp_path: Path, plugin: Path) -> None:
    overload = Scenario.from_dict(
        {
            **CHAIN,
            "topology": {"kind": "chain", "hops": 6},
            "scheme": {"name": "udp"},
            "traffic": {"load": "200 kbit/s", "start": "0.1 s"},
        }
    )
    run(overload, trace=tmp_path / "trace")
    trace = Trace(tmp_path / "trace")
    names = (
        "frame.time_epoch",
        "frame.comment",
        "frame.len",
        "wlan.ra",
        "wlan.ta",
        "wlan.fc.retry",
    )
    more = ("wlan.da", "wlan.sa", "ip.src", "ip.dst", "wlan.fc.type_subtype", "_ws.malformed")
    packets = tshark(
        plugin,
        capture(overload, tmp_path / "air.pcapng"),
        *(word for name in (*names, *more) for word in ("-e", name)),
    )
    frames = trace.scan("frames").collect()
    assert len(packets) == frames.height
    lost = 0
    for packet, frame in zip(packets, frames.rows(named=True), strict=True):
        assert "_ws.malformed" not in packet
        assert round(float(packet["frame.time_epoch"][0]) * 1e9) == frame["start_ns"]
        assert packet["frame.comment"][0].startswith(f"frame {frame['frame']}: {frame['class']}")
        assert packet["wlan.ra"] == [f"02:00:00:00:00:{frame['receiver']:02x}"]
        if frame["class"] == "data":
            # radiotap, LLC and SNAP more than in the model, and no FCS
            assert int(packet["frame.len"][0]) == frame["bytes"] + 17 + 8 - 4
            assert packet["wlan.ta"] == [f"02:00:00:00:00:{frame['sender']:02x}"]
            assert packet["ip.src"] == ["10.0.0.0"]
            assert packet["ip.dst"] == ["10.0.0.6"]
            assert packet["wlan.da"] == ["02:00:00:00:00:06"]
        lost += sum(line.startswith("lost at") for line in packet["frame.comment"][0].split("\n"))
    worth = (
        trace.scan("receptions")
        .join(trace.scan("frames"), on="frame")
        .filter(
            ~pl.col("outcome").is_in(["decoded", "overheard"]),
            (pl.col("outcome") != "too_weak") | (pl.col("node") == pl.col("receiver")),
        )
    )
    assert lost == worth.collect().height > 0
    assert any(number(packet["wlan.fc.retry"][0]) for packet in packets)


def test_layouts_fill_whole_bytes_and_names_differ() -> None:
    headers = _multihop.headers()
    assert len({header["name"] for header in headers}) == len(headers)
    assert len({(header["number"], header["message"]) for header in headers}) == len(headers)
    for header in headers:
        assert sum(field["bits"] for field in header["fields"]) % 8 == 0
        names = [field["name"] for field in header["fields"] if field["name"]]
        assert len(set(names)) == len(names)
        assert header["name"].isidentifier()
        assert f'"{header["title"]}"' in dissector()


def test_the_command_writes_both_files(cli: Cli, tiny: Path, tmp_path: Path) -> None:
    done = cli("pcap", tiny, "-o", "air.pcapng", "--dissector", "multihop.lua")
    assert done.returncode == 0, done.stderr
    # The magic number of pcapng, and the plug-in.
    assert (tmp_path / "air.pcapng").read_bytes()[:4] == b"\x0a\x0d\x0d\x0a"
    assert (tmp_path / "multihop.lua").read_text() == dissector()
    assert json.loads(cli("pcap", tiny, "--json").stdout)["file"] == "air.pcapng"


def test_a_trace_s_run_is_repeated(cli: Cli, tiny: Path, tmp_path: Path) -> None:
    assert cli("run", tiny, "--trace", "trace").returncode == 0
    assert cli("pcap", tiny, "-o", "first.pcapng").returncode == 0
    done = cli("pcap", "trace", "-o", "second.pcapng")
    assert done.returncode == 0, done.stderr
    assert "another version" not in done.stderr
    first, second = [(tmp_path / f"{name}.pcapng").read_bytes() for name in ("first", "second")]
    assert first == second
    about = json.loads((tmp_path / "trace" / "run.json").read_text())
    (tmp_path / "trace" / "run.json").write_text(json.dumps(about | {"engine": "0.0 0"}))
    done = cli("pcap", "trace", "--set", "duration=1 s", "-o", "third.pcapng")
    assert "another version of the engine" in done.stderr
    assert len((tmp_path / "third.pcapng").read_bytes()) < len(first)
    assert "run.json" in cli("pcap", tmp_path).stderr


def test_what_cannot_be_written_is_said(
    cli: Cli, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--out" in cli("pcap", tiny, "-o", "tiny.toml/air.pcapng").stderr

    def full(*_: object) -> None:
        raise OSError(f"No space left on device (os error {errno.ENOSPC})")

    monkeypatch.setattr(_multihop, "capture", full)
    with pytest.raises(OutputError, match="make room"):
        capture(Scenario.from_file(tiny), tmp_path / "air.pcapng")
    assert not (tmp_path / "air.pcapng").exists()
