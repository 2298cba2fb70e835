"""`lab`: namespaces of this machine on a radio medium in real time."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from .app import AsJson, File, Settings, app, checked_scenario, show_help
from .output import fixed, print_json, print_table, say, warn

if TYPE_CHECKING:
    from ..lab import Lab

lab_app = typer.Typer(
    name="lab",
    help="Real applications on a scenario's radio medium: a namespace for every node.\n\n"
    "Example: multihop lab up chain.toml && multihop lab exec n0 -- curl http://n5:8000/",
    invoke_without_command=True,
    callback=show_help,
)
app.add_typer(lab_app)

STANDARD_OUTPUT = Path("-")
Name = Annotated[str, typer.Option("--name", help="The lab's name.")]


@lab_app.command("up")
def up(
    scenario: File,
    settings: Settings = [],  # noqa: B006
    name: Name = "lab",
    time_scale: Annotated[
        float, typer.Option(min=1e-3, help="Seconds of this machine for one of the medium.")
    ] = 1.0,
    mtu: Annotated[
        int | None,
        typer.Option(min=68, max=64000, help="Largest IP packet in bytes (1000; 1500 on ports)."),
    ] = None,
    ports: Annotated[
        str,
        typer.Option(help="node, or ethernet: a TAP device in every node, for other daemons."),
    ] = "node",
    sealed: Annotated[
        bool, typer.Option("--sealed", help="Encrypt frames, with a key of this lab's own.")
    ] = False,
    wire: Annotated[
        bool, typer.Option("--wire", help="Broadcast on an Ethernet bridge instead of a medium.")
    ] = False,
    tcp_proxy: Annotated[
        bool, typer.Option("--tcp-proxy", help="Carry TCP connections as streams of the scheme.")
    ] = False,
    network6: Annotated[
        str | None,
        typer.Option(help="IPv6 addresses of the nodes, such as fd6d:6873::/64."),
    ] = None,
    node_flags: Annotated[
        list[str],
        typer.Option("--node-flag", help="FLAG=VALUE for every node; {node} is its name."),
    ] = [],  # noqa: B006
    as_json: AsJson = False,
) -> None:
    """Start a lab: the medium, and for every node of the scenario a namespace and its program.

    Example: multihop lab up examples/five-node-chain.toml --set scheme.name=cxcc
    """
    from ..lab import Lab, Options

    checked = checked_scenario(scenario, settings)
    flags = tuple(f"--{flag}" for flag in node_flags)
    options = Options(
        time_scale,
        mtu,
        sealed,
        flags,
        wire=wire,
        tcp_proxy=tcp_proxy,
        ports=ports,
        network6=network6,
    )
    _tell_programs()
    lab = Lab.up(checked, name, options)
    first, *_, last = lab.namespaces
    if as_json:
        plan = lab.plan
        programs = {"multihop-node": plan.node[0], "multihop-ether": plan.ether[0]}
        print_json(
            {
                "name": name,
                "nodes": list(lab.namespaces),
                "programs": programs,
                "versions": plan.versions,
            }
        )
        return
    say(f"{len(lab.namespaces)} nodes are up, {first} to {last}")
    say(f"next: multihop lab exec {first} -- sh")


@lab_app.command("exec", context_settings={"ignore_unknown_options": True})
def exec_(
    node: Annotated[str, typer.Argument(help="The node.")],
    command: Annotated[list[str], typer.Argument(help="The command, behind --.")],
    name: Name = "lab",
) -> None:
    """Run a command in the namespace of a node, which knows the others by their names.

    Example: multihop lab exec n0 -- curl http://n5:8000/
    """
    words = _lab(name).command(node, command)
    os.execvp(words[0], words)


@lab_app.command("status")
def status(
    name: Name = "lab",
    watch: Annotated[bool, typer.Option("--watch", help="Print it anew every second.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the state of the medium and the nodes.

    Example: multihop lab status --watch
    """
    while True:
        known = _lab(name).status()
        if as_json:
            print_json(known)
        else:
            _print_status(known)
        if not watch:
            return
        time.sleep(1)


@lab_app.command("pcap")
def pcap(
    out: Annotated[
        Path, typer.Option("--out", "-o", help="File for the capture; - is standard output.")
    ] = Path("air.pcapng"),
    dissector: Annotated[
        Path | None, typer.Option(help="File for a Wireshark plug-in that shows our headers.")
    ] = None,
    duration: Annotated[
        float | None, typer.Option(min=0, help="Seconds of the medium; until Ctrl-C if not given.")
    ] = None,
    name: Name = "lab",
    as_json: AsJson = False,
) -> None:
    """Write the frames on the medium into a pcapng file, until Ctrl-C.

    Every frame stands there once, with who heard it, who lost it and why.

    Example: multihop lab pcap -o air.pcapng --dissector multihop.lua
    """
    from ..results.result import explained
    from ..running.capturing import write_dissector

    lab = _lab(name)
    if dissector is not None:
        write_dissector(dissector)
    try:
        with explained(out.parent), _writing(out) as file:
            lab.capture(file, duration)
    except KeyboardInterrupt:
        pass
    if as_json:
        print_json({"file": str(out), "dissector": None if dissector is None else str(dissector)})
    elif out != STANDARD_OUTPUT:
        say(f"capture written to {out}")


def _writing(out: Path) -> AbstractContextManager[IO[bytes]]:
    return nullcontext(sys.stdout.buffer) if out == STANDARD_OUTPUT else out.open("wb")


@lab_app.command("down")
def down(name: Name = "lab", as_json: AsJson = False) -> None:
    """End a lab, also one that has crashed.

    Example: multihop lab down
    """
    from ..lab import lab

    lab.down(name)
    if as_json:
        print_json({"name": name})
    else:
        say(f"the lab '{name}' is down")


@lab_app.command("demo")
def demo(
    size: Annotated[int, typer.Option(min=1, help="Bytes of each file.")] = 60_000,
    time_scale: Annotated[
        float, typer.Option(min=1e-3, help="Seconds of this machine for one of the medium.")
    ] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Fetch a file with curl over five hops while another crosses it: plain forwarding, then CXCC.

    And CXCC with proxies that end TCP, where there is nft.

    Exits with 1 if a file does not arrive intact.

    Example: multihop lab demo
    """
    from ..lab import demo as demonstration

    _tell_programs()
    fetched = list(demonstration.run(size, time_scale, _nothing if as_json else say))
    if as_json:
        print_json([{**vars(one), "rate_bit_s": one.rate_bit_s} for one in fetched])
    else:
        header = ("scheme", "way", "seconds", "kbit/s", "checksum")
        rows = [
            (
                f"{one.scheme}, proxies" if one.proxies else one.scheme,
                one.way,
                fixed(one.seconds),
                fixed(one.rate_bit_s / 1e3) if one.intact else "",
                "matches" if one.intact else "differs",
            )
            for one in fetched
        ]
        print_table(header, rows)
    if not all(one.intact for one in fetched):
        raise typer.Exit(1)


@lab_app.command("fig22")
def fig22(
    runs: Annotated[int, typer.Option(min=1, help="Runs of every load and scheme.")] = 1,
    time_scale: Annotated[
        float, typer.Option(min=1e-3, help="Seconds of this machine for one of the medium.")
    ] = 0.2,
    at_once: Annotated[int, typer.Option(min=1, max=32, help="Labs at the same time.")] = 16,
    keep: Annotated[
        Path | None, typer.Option(help="Keep the verdicts in a file, for reports and guides.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run figure 22 of CXCC's paper with real processes, and judge the paper's claims.

    Six nodes at 19.2 kbit/s, two minutes of the medium a run; beside it the simulator. With the
    defaults it takes about a minute.

    Example: multihop lab fig22 --runs 3
    """
    from ..reproducing.registry import testbed

    _tell_programs(are_kept=keep is not None)
    bed = testbed("fig22")
    measured = []
    for one in bed.measure(runs, time_scale, at_once):
        measured.append(one)
        if not as_json:
            say(f"{one.variant}, {one.load_kbit_s:g} kbit/s, run {one.run}: {one.linux:.0f} bit/s")
    judged = bed.judged(measured)
    if keep:
        bed.keep(measured, runs, time_scale, keep)
    if as_json:
        claims = [{"claim": claim.text, **finding._asdict()} for claim, finding in judged]
        print_json({"runs": [vars(one) for one in measured], "claims": claims})
        return
    found = bed.rows(measured)
    header = [
        f"{variant} {where}" for variant in found[0].bit_s for where in ("Linux", "simulator")
    ]
    cells = [
        (
            f"{row.load_kbit_s:g}",
            *(fixed(value, 0) for pair in row.bit_s.values() for value in pair),
        )
        for row in found
    ]
    print_table(("load (kbit/s)", *header), cells, "bit/s that both ends get together")
    for claim, finding in judged:
        word = claim.verdict("", finding).verdict
        say(f"{word}: {claim.text} ({finding.measured})")
    say(f"99 % of events were at most {max(one.lag_p99_s for one in measured) * 1e3:.0f} ms late")


def _lab(name: str) -> Lab:
    from ..lab import Lab

    return Lab(name)


def _tell_programs(*, are_kept: bool = False) -> None:
    """Say on standard error which programs a lab takes, and that they are slow if they are.

    Raises `LabError` if they are slow and what they give `are_kept`.
    """
    from ..engine.errors import LabError
    from ..lab import tools

    slow = tools.slow()
    if slow and are_kept:
        raise LabError(f"nothing is kept of {slow}")
    if chosen := tools.chosen():
        warn(chosen, "programs", "bold")
    if slow:
        warn(slow)


def _nothing(_: str) -> None:
    """Say nothing."""


def _print_status(known: dict[str, Any]) -> None:
    lag = known["ether"].get("lag")
    if lag is None:
        say("the ether does not answer")
    else:
        late = f"99 % of events at most {lag['p99_s'] * 1e3:.2f} ms late, {lag['late']} too late"
        say(f"{known['ether']['scenario']}, {known['ether']['now_s']:.1f} s: {late}")
    if any("stranger" in node.get("counters", {}) for node in known["nodes"]):
        counts = ("frames_sent", "frames_failed", "frames_heard", "stranger", "not_taken")
        titles = ("node", "address", "radio", "sent", "failed", "heard", "strangers", "not taken")
        print_table(titles, [_port_row(node, counts) for node in known["nodes"]])
        return
    header = (
        "node",
        "address",
        "radio",
        "flows",
        "in",
        "out",
        "frames",
        "heard",
        "dropped",
        "inside",
    )
    print_table(header, [_row(node) for node in known["nodes"]])


def _row(node: dict[str, Any]) -> tuple[Any, ...]:
    if "counters" not in node:
        return (node["node"], "", "gone", *("" for _ in range(7)))
    counters = node["counters"]
    return (
        node["node"],
        node["address"],
        "on" if node["radio"] else "off",
        node["flow_count"],
        counters["from_applications"],
        counters["to_applications"],
        counters["frames_sent"],
        counters["frames_heard"],
        sum(node["dropped"].values()),
        node["backlog"],
    )


def _port_row(node: dict[str, Any], counts: Sequence[str]) -> tuple[Any, ...]:
    if "counters" not in node:
        return (node["node"], "", "gone", *("" for _ in counts))
    radio = "on" if node["radio"] else "off"
    return (node["node"], node["address"], radio, *(node["counters"][name] for name in counts))
