"""`import`: networks that exist."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .app import AsJson, app, check_file
from .output import print_json, say

if TYPE_CHECKING:
    from ..meshes.measures import Measuring
    from ..meshes.writing import Choices, Imported

# How a rate is written, and what it is in bit/s.
RATES = {"gbit/s": 1e9, "mbit/s": 1e6, "kbit/s": 1e3, "bit/s": 1.0}


@app.command("import")
def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Nodes, and links if the format has them.")
    ],
    links: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Links: a CSV table, or the graph.json of a nodes.json."),
    ] = None,
    flow: Annotated[
        list[str],
        typer.Option(
            metavar="A,B",
            help="A flow from node A to node B, as often as you like; one between nodes that are "
            "far apart unless given.",
        ),
    ] = [],  # noqa: B006 (Typer copies it)
    to: Annotated[
        list[str],
        typer.Option(
            metavar="NODE",
            help="A gateway, as often as you like: each sender has a flow to the nearest one.",
        ),
    ] = [],  # noqa: B006 (Typer copies it)
    senders: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="all|N|A,B",
            help="Senders to the gateways: all, a number of nodes, near and far, or some by name.  "
            "[default: all]",
        ),
    ] = None,
    media: Annotated[
        str | None,
        typer.Option(
            "--type",
            metavar="A,B,...",
            help="Types of links that are radio links, also patterns like wifi*.  [default: wifi*, "
            "wireless*, wlan*, radio*, mesh, 802.11*, ibss, adhoc, lora*]",
        ),
    ] = None,
    by_distance: Annotated[
        bool,
        typer.Option("--by-distance", help="Take the positions and leave the links out."),
    ] = False,
    reach: Annotated[
        float | None,
        typer.Option(
            "--range",
            metavar="METRES",
            min=0.01,
            help="By distance: nodes decode so far.  [default: 250]",
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The radio: 802.11-dsss-RATE, 802.11-ofdm-RATE, lora-sfN-KHZ, lora-long-fast, "
            "802.15.4-KBIT.  [default: 802.11-ofdm-6]",
        ),
    ] = None,
    mesh: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The whole mesh: MAC, scheme and default traffic of meshtastic, whose settings "
            "--preset names then.  [--preset: long-fast]",
        ),
    ] = None,
    keep_names: Annotated[
        bool,
        typer.Option(
            "--keep-names",
            help="Keep names and places of LoRa meshes, whose nodes are people's homes.",
        ),
    ] = False,
    mac: Annotated[
        str | None,
        typer.Option(metavar="dsss|ofdm", help="The timing of 802.11."),
    ] = None,
    data_rate: Annotated[
        str | None,
        typer.Option(metavar="RATE", help="The rate of 802.11, as 54 Mbit/s."),
    ] = None,
    receive_threshold: Annotated[
        str | None,
        typer.Option(
            metavar="DBM", help="Weaker signals are not decoded; that of the radio unless given."
        ),
    ] = None,
    sense_threshold: Annotated[
        str | None,
        typer.Option(
            metavar="DBM", help="Weaker signals are not sensed; 10 dB below the other unless given."
        ),
    ] = None,
    noise: Annotated[
        str | None,
        typer.Option(
            metavar="DBM",
            help="Noise power, for links with an SNR; that of the radio unless given.",
        ),
    ] = None,
    measure: Annotated[
        list[str],
        typer.Option(
            metavar="COLUMN=MEASURE",
            help="Measure of a column: etx, delivery, percent, ..., or none; as often as you like.",
        ),
    ] = [],  # noqa: B006 (Typer copies it)
    assume_delivery: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE", min=0.0, max=1.0, help="Delivery ratio of links without a measure."
        ),
    ] = None,
    ett_size: Annotated[
        int | None,
        typer.Option(metavar="BYTES", min=1, help="Size of the frame of ETT."),
    ] = None,
    mirror: Annotated[
        bool | None,
        typer.Option(
            "--mirror/--one-way",
            help="Whether a direction that the file does not list has the value of the other.  "
            "[default: mirror, but not in directed graphs]",
        ),
    ] = None,
    neighbour_delivery: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            min=0.0001,
            max=1.0,
            help="Nodes that deliver less to each other are no neighbours.",
        ),
    ] = 0.5,
    without: Annotated[
        list[str],
        typer.Option(
            metavar="NODE", help="Leave a node out, or those of a pattern; as often as you like."
        ),
    ] = [],  # noqa: B006 (Typer copies it)
    with_offline: Annotated[
        bool,
        typer.Option("--with-offline", help="Keep nodes that are off."),
    ] = False,
    only_placed: Annotated[
        bool,
        typer.Option("--only-placed", help="Leave out nodes without a place."),
    ] = False,
    scheme: Annotated[
        str | None, typer.Option(metavar="NAME", help="The scheme.  [default: udp]")
    ] = None,
    load: Annotated[
        str | None,
        typer.Option(
            metavar="RATE",
            help="Offered load of each flow; 100 kbit/s unless given, less over slow radios.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The scenario file; printed unless given.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the scenario file if there is one.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make a scenario of a network that exists: positions and links as they are published.

    Reads CSV, GeoJSON, NetJSON, node-link JSON of networkx, Freifunk's meshviewer.json, nodes.json
    with graph.json and nodelist.json, SUMO's FCD traces, and maps of LoRa meshes: mcsim's YAML,
    networks of meshcore_simv2, meshview's nodes and edges, CoreScope's neighbours. Latitude and
    longitude become metres, measures of links [[link]] tables. The largest part whose nodes reach
    each other is kept.

    Example: multihop import meshviewer.json --out mesh.toml

    Example: multihop import nodes.csv --links links.csv --to gateway --preset 802.11-ofdm-24

    Example: multihop import nodes.json --links edges.json --mesh meshtastic --out mesh.toml
    """
    from ..meshes.measures import Measuring
    from ..meshes.presets import mesh_preset, preset_of, reach_m
    from ..meshes.writing import NEIGHBOURS, RADIO, RANGE_M, Choices

    if out is not None:
        _check_out(out, force, [file, *([links] if links else [])])
    if senders is not None and not to:
        raise typer.BadParameter(f"--from {senders} is who sends to a gateway; name it with --to")
    if mesh is not None:
        own = None if reach is None else str(reach)
        _check_mesh(mac, data_rate, receive_threshold, sense_threshold, scheme, load, own)
        radio = mesh_preset(mesh, preset)
        far = reach_m(radio)
    else:
        far = RANGE_M
        radio = preset_of(preset, mac, None if data_rate is None else _rate(data_rate))
    choices = Choices(
        media=RADIO if media is None else tuple(name.strip() for name in media.split(",")),
        flows=tuple(map(_flow, flow)),
        to=tuple(to),
        senders=senders or "all",
        scheme=scheme or "udp",
        load=load,
        by_distance=by_distance,
        range_m=far if reach is None else reach,
        radio=radio,
        receive_dbm=_dbm(receive_threshold, "--receive-threshold"),
        sense_dbm=_dbm(sense_threshold, "--sense-threshold"),
        neighbour_delivery=neighbour_delivery or NEIGHBOURS,
        mirror=mirror,
        without=tuple(without),
        with_offline=with_offline,
        only_placed=only_placed,
    )
    above = _dbm(noise, "--noise")
    measuring = Measuring(
        columns=dict(map(_column, measure)),
        noise_dbm=radio.noise_dbm if above is None else above,
        noise_given=above is not None,
        assumed=assume_delivery,
        ett_bytes=ett_size,
        rate_bit_s=radio.rate_bit_s,
        by_distance=by_distance,
        homes=mesh is not None,
        keep_names=keep_names,
    )
    found = _imported(file, links, choices, measuring)
    if reach is not None and found.mesh.links:
        raise typer.BadParameter(
            f"--range {reach:g} is about positions, and this network has links; leave it out, or "
            "give --by-distance as well"
        )
    _write(found, choices, out, as_json=as_json)


def _check_mesh(*given: str | None) -> None:
    """Refuse options that take the place of what --mesh says."""
    options = (
        "--mac", "--data-rate", "--receive-threshold", "--sense-threshold", "--scheme", "--load",
        "--range",
    )  # fmt: skip
    for option, value in zip(options, given, strict=True):
        if value is not None:
            raise typer.BadParameter(
                f"{option} has no effect beside --mesh, which has radio, MAC, scheme and traffic "
                "of its own; leave one of the two, or change the file that is written"
            )


def _imported(file: Path, links: Path | None, choices: Choices, measuring: Measuring) -> Imported:
    from ..meshes.fcd import scenario_of_trace
    from ..meshes.reading import is_fcd, read_mesh
    from ..meshes.writing import scenario_of

    if is_fcd(file):
        if links is not None:
            raise typer.BadParameter(f"--links: {file} is a trace of vehicles, which has no links")
        return scenario_of_trace(file, choices)
    return scenario_of(read_mesh(file, links, measuring), choices)


def _check_out(out: Path, force: bool, read: list[Path]) -> None:
    from ..results.result import make_folder

    make_folder(out.parent)
    check_file(out, "--out", *read)
    if out.exists() and not force:
        raise typer.BadParameter(
            f"--out: there is a file {out}, which may have been edited; name another one, or "
            "replace it with --force"
        )


def _write(found: Imported, choices: Choices, out: Path | None, *, as_json: bool) -> None:
    """Write the scenario and report what was read."""
    from ..meshes.writing import radio_lines
    from ..results.result import replacing

    if out is not None:
        with replacing(out) as temporary:
            temporary.write_text(found.text, encoding="utf-8")
    if as_json:
        print_json(_about(found, choices, out))
        return
    if out is None:
        typer.echo(found.text, nl=False)
        return
    say(f"{len(found.mesh.nodes)} nodes and {len(found.mesh.links)} links, in {out}")
    for line in found.mesh.findings.lines():
        say(line)
    for line in radio_lines(choices, by_links=bool(found.mesh.links)):
        say(line)
    for line in found.mesh.findings.gone():
        say(f"left out: {line}")


def _flow(text: str) -> tuple[str, str]:
    source, comma, target = text.partition(",")
    if not comma or not source.strip() or not target.strip():
        raise typer.BadParameter(f"--flow {text} is not A,B, as in gateway,farm")
    return source.strip(), target.strip()


def _column(text: str) -> tuple[str, str]:
    column, equals, name = text.rpartition("=")
    if not equals or not column.strip() or not name.strip():
        raise typer.BadParameter(f"--measure {text} is not COLUMN=MEASURE, as in quality=percent")
    return column.strip(), name.strip()


def _dbm(text: str | None, option: str) -> float | None:
    """Read a power in dBm, with its unit or without."""
    from ..meshes.values import quantity

    if text is None:
        return None
    value, unit = quantity(text, option)
    if unit not in ("", "dbm") or not -200 <= value <= 50:
        raise typer.BadParameter(f"{option} {text} is no power from -200 to 50 dBm, as in -82 dBm")
    return value


def _rate(text: str) -> float:
    """Read a rate with its unit, in bit/s."""
    from ..meshes.values import quantity

    value, unit = quantity(text, "--data-rate")
    if unit not in RATES:
        raise typer.BadParameter(
            f"--data-rate {text}: a rate wants bit/s, kbit/s, Mbit/s or Gbit/s, as in 54 Mbit/s"
        )
    return value * RATES[unit]


def _about(found: Imported, choices: Choices, out: Path | None) -> dict[str, object]:
    receive, sense = choices.thresholds_dbm
    by_links = bool(found.mesh.links)
    return {
        "nodes": len(found.mesh.nodes),
        "links": len(found.mesh.links),
        "left_out": list(found.mesh.notes),
        "report": found.mesh.findings.to_dict(),
        "radio": {
            "preset": choices.radio.name,
            "mac": dict(choices.radio.mac),
            "data_rate_bit_s": choices.radio.rate_bit_s,
            "receive_threshold_dbm": receive if by_links else None,
            "sense_threshold_dbm": sense if by_links else None,
            "range_m": None if by_links else choices.range_m,
        },
        "file": str(out) if out else None,
        "scenario": found.scenario.to_dict(),
    }
