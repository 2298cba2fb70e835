"""A scenario from a mesh: a TOML file to run, to vary and to change."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from ..engine.errors import MeshError, ScenarioError
from ..scenario.form import Scenario
from .flows import ALL, Flow, chosen
from .joining import mirrored, over_all_media
from .mesh import Link, Mesh, Node, Parts
from .placing import near_by, placed
from .presets import DEFAULT, MESH_DEFAULT, PRESETS, SENSE_BELOW_DB, Preset

# As in scenarios: with a smaller share, nodes are no neighbours; nodes decode so far.
NEIGHBOURS = 0.5
RANGE_M = 250.0
# Types of links that are radio links; a link without a type is one, too.
RADIO = ("wifi*", "wireless*", "wlan*", "radio*", "mesh", "802.11*", "ibss", "adhoc", "lora*")
# Roles of nodes that the scheme of a whole mesh has, beside that of all others.
ROLES = ("client_mute", "router", "router_late", "repeater")
# Ratios are written with so many digits.
DIGITS = 4
# Which option gives what a scenario may be wrong in.
OPTIONS = {"traffic.load": "--load", "scheme.name": "--scheme", "radio.receive_range": "--range"}


@dataclass(frozen=True)
class Choices:
    """Choices for the scenario of an imported mesh: radio, flows, scheme and load."""

    # Types of links that are radio links, as patterns.
    media: tuple[str, ...] = RADIO
    flows: tuple[Flow, ...] = ()
    # Gateways, and who sends to the nearest of them: "all", a number of nodes, or their names.
    to: tuple[str, ...] = ()
    senders: str = ALL
    scheme: str = "udp"
    # What each flow offers; that of the preset unless given.
    load: str | None = None
    # Nodes hear each other as far as the propagation lets them, whatever links there are.
    by_distance: bool = False
    range_m: float = RANGE_M
    radio: Preset = PRESETS[DEFAULT]
    # In dBm; those of the radio unless given.
    receive_dbm: float | None = None
    sense_dbm: float | None = None
    # Nodes that deliver less to each other are no neighbours.
    neighbour_delivery: float = NEIGHBOURS
    # Whether a direction that is not listed has the value of the other; as the format says.
    mirror: bool | None = None
    # Which nodes are left out besides those that are off: names or patterns, and without places.
    without: tuple[str, ...] = ()
    with_offline: bool = False
    only_placed: bool = False

    @property
    def thresholds_dbm(self) -> tuple[float, float]:
        """The powers in dBm from which signals are decoded, and sensed."""
        receive = self.radio.receive_dbm if self.receive_dbm is None else self.receive_dbm
        sense = receive - SENSE_BELOW_DB if self.sense_dbm is None else self.sense_dbm
        return receive, sense


@dataclass(frozen=True)
class Imported:
    """A scenario as text, what is in it, and what was left out."""

    mesh: Mesh
    text: str

    @property
    def scenario(self) -> Scenario:
        """The scenario, checked."""
        return Scenario.from_toml(self.text)


def scenario_of(mesh: Mesh, choices: Choices = Choices()) -> Imported:
    """Make a scenario of the largest part of a mesh whose nodes reach each other.

    If the file has links, these decide which nodes hear each other, even if none of them is left.
    Without links, or `by_distance`, positions decide.
    """
    by_links = mesh.by_links and not choices.by_distance
    if not by_links:
        mesh = replace(mesh, links=())
    mesh = _without_nodes(mesh, choices, placed_only=not by_links)
    mesh = _radio_links(mesh, choices) if by_links else mesh
    neighbours = _by_links(mesh, choices) if by_links else near_by(mesh, choices.range_m)
    parts = Parts(neighbours)
    kept = set(parts.largest())
    if len(kept) < 2:
        raise MeshError(_alone(mesh, choices, by_links=by_links))
    if by_links:
        mesh = mesh.finding(mesh.findings.noted(*_weak(mesh, choices)))
    elif mesh.findings.rows_read:
        mesh = mesh.finding(mesh.findings.noted("links are not used: positions decide"))
    gone = [node for node in mesh.nodes if node.id not in kept]
    mesh = mesh.without(gone, "nodes outside the largest connected part")
    mesh = placed(mesh, neighbours, by_links=by_links)
    mesh = mesh.finding(mesh.findings.noted(*_roles(mesh, choices)))
    flows = chosen(mesh, parts, choices.flows, choices.to, choices.senders, choices.radio.mesh)
    found = Imported(mesh, "".join(_lines(mesh, choices, flows, by_links=by_links)))
    try:
        _ = found.scenario  # what cannot be run is no import
    except ScenarioError as error:
        raise MeshError(refused(error)) from None
    return found


def radio_lines(choices: Choices, *, by_links: bool) -> list[str]:
    """Say which MAC, rate and thresholds a scenario has, and how they are chosen."""
    radio, (receive, sense) = choices.radio, choices.thresholds_dbm
    if radio.mesh:
        lines = [
            f"radio: {radio.about} (--preset {radio.name})",
            f"MAC: lora; {radio.mesh}'s rules",
        ]
        about = f"{radio.receive_dbm:g} dBm to decode, as the MAC says"
        return [*lines, about if by_links else "positions decide, by propagation over distance"]
    lines = [f"radio: {radio.about} (--preset {radio.name}; {radio.source})"]
    if not radio.name.startswith("802.11"):
        lines.append("MAC: the simulator's DCF with this radio's times, not its own MAC")
    if by_links:
        lines.append(f"thresholds: {receive:g} dBm to decode, {sense:g} dBm to sense")
    else:
        lines.append(f"frequency: {radio.frequency}; nodes decode up to {choices.range_m:g} m")
    return lines


def _without_nodes(mesh: Mesh, choices: Choices, *, placed_only: bool) -> Mesh:
    """Leave out nodes that are off, unwanted or nowhere, before anything follows from them."""
    if not choices.with_offline:
        mesh = mesh.without([n for n in mesh.nodes if not n.online], "nodes that are offline")
    for pattern in choices.without:
        fitting = [
            node
            for node in mesh.nodes
            if any(fnmatchcase(name, pattern) for name in (node.id, node.name, node.label))
        ]
        if not fitting:
            raise MeshError(f"--without: no node is called '{pattern}'")
        mesh = mesh.without(fitting, f"nodes like {pattern} (--without)")
    if placed_only or choices.only_placed:
        nowhere = [node for node in mesh.nodes if not (node.degrees or node.metres)]
        if nowhere and len(nowhere) == len(mesh.nodes):
            raise MeshError(
                "no node has a place, and there are no links; give one or the other"
                + "".join(f"; left out: {line}" for line in mesh.findings.gone())
            )
        mesh = mesh.without(nowhere, "nodes without a place")
    return mesh


def _radio_links(mesh: Mesh, choices: Choices) -> Mesh:
    """Keep the radio links: one for each direction, also of those that are told of once."""
    mesh = mirrored(over_all_media(_over(mesh, choices.media)), choices.mirror)
    dead = [link for link in mesh.links if link.delivery == 0 and link.signal_dbm is None]
    rest = tuple(link for link in mesh.links if link not in set(dead))
    cause = "directions that deliver nothing (a ratio of 0, an ETX of 0 or of 1024 and more)"
    return replace(mesh, links=rest, findings=mesh.findings.without_links(cause, len(dead)))


def _over(mesh: Mesh, media: Sequence[str]) -> Mesh:
    """Return the links over some media, and those of which the file does not say."""

    def is_radio(link: Link) -> bool:
        medium = link.medium.strip().lower()
        return not medium or any(fnmatchcase(medium, pattern.lower()) for pattern in media)

    kept = tuple(link for link in mesh.links if is_radio(link))
    others = sorted({link.medium for link in mesh.links if not is_radio(link)})
    note = f"links over {', '.join(others)}, which are no radio links"
    findings = mesh.findings.without_links(note, len(mesh.links) - len(kept))
    if mesh.links and not kept:
        raise MeshError(
            f"no link is of a type that is a radio link ({', '.join(media)}): all "
            f"{len(mesh.links)} are over {', '.join(others)}; choose with --type, or take the "
            "positions with --by-distance"
        )
    return replace(mesh, links=kept, findings=findings)


def _is_good(link: Link, choices: Choices) -> bool:
    """Whether enough frames of a link are decoded."""
    if link.delivery is not None:
        return link.delivery >= choices.neighbour_delivery
    return link.signal_dbm is not None and link.signal_dbm >= choices.thresholds_dbm[0]


def _by_links(mesh: Mesh, choices: Choices) -> dict[str, list[str]]:
    """List for every node those that decode enough of its frames, and it of theirs."""
    good = {link.ends for link in mesh.links if _is_good(link, choices)}
    found: dict[str, list[str]] = {node.id: [] for node in mesh.nodes}
    for link in mesh.links:
        if link.ends in good and link.ends[::-1] in good:
            found[link.source].append(link.target)
    return found


def _weak(mesh: Mesh, choices: Choices) -> Iterator[str]:
    """Say which links are no good, and which option would change that."""
    receive, sense = choices.thresholds_dbm
    weak = [link for link in mesh.links if not _is_good(link, choices)]
    signals = [k.signal_dbm for k in weak if k.delivery is None and k.signal_dbm is not None]
    if signals:
        yield (
            f"directions below the receive threshold of {receive:g} dBm, which only disturb: "
            f"{len(signals)}, the strongest at {max(signals):g} dBm (--receive-threshold, --preset)"
        )
    lossy = [link.delivery for link in weak if link.delivery is not None]
    if lossy:
        yield (
            f"directions that deliver less than {choices.neighbour_delivery:g}, no neighbours for "
            f"fixed routes: {len(lossy)}, the best {max(lossy):.2g} (--neighbour-delivery)"
        )
    for link in mesh.links:
        if link.delivery and link.signal_dbm is not None and link.signal_dbm < sense:
            raise MeshError(
                f"from '{link.source}' to '{link.target}' {link.delivery:g} of the frames arrive "
                f"at {link.signal_dbm:g} dBm, but nothing below {sense:g} dBm is sensed; choose "
                "the radio that measured it with --preset, --receive-threshold or "
                "--sense-threshold"
            )


def _alone(mesh: Mesh, choices: Choices, *, by_links: bool) -> str:
    """Say why no two nodes reach each other, and which option would change that."""
    gone = "".join(f"; left out: {line}" for line in mesh.findings.gone())
    if not by_links:
        return (
            f"no two nodes reach each other over {choices.range_m:g} m: give links, or a longer "
            f"--range{gone}"
        )
    why = "".join(f"; {line}" for line in _weak(mesh, choices))
    if "deliver nothing" in gone:
        why += "; olsrd's raw costs, which count an ETX of 1 as 1024, are --measure cost=olsr-cost"
    one_way = "".join(f"; {r}" for r in mesh.findings.remarks if "--mirror" in r)
    return (
        "no two nodes reach each other over links: choose thresholds with --receive-threshold or "
        "--preset, the least ratio with --neighbour-delivery, types with --type, or take the "
        f"positions with --by-distance{why}{one_way}{gone}"
    )


def refused(error: ScenarioError) -> str:
    """Return what is wrong with a scenario, in words of the command's options."""
    key = error.key or ""
    option = OPTIONS.get(key)
    if option is None:
        return f"what would be written is no scenario: {error}"
    return f"{option}: {str(error).partition(f'{key}: ')[2] or error}"


def head(mesh: Mesh, times: tuple[str, str], topology: str) -> Iterator[str]:
    """Write what an import found, as comments, and the first keys of a scenario."""
    yield "".join(f"# Left out: {_comment(line)}.\n" for line in mesh.notes)
    yield "".join(f"#   {_comment(', '.join(names))}\n" for names in mesh.findings.few())
    yield "".join(f"# {_comment(_capital(line))}.\n" for line in mesh.findings.lines())
    yield f"name = {_text(mesh.title or 'mesh')}\n"
    yield f'duration = "{times[0]}"\nwarmup = "{times[1]}"\n\n[topology]\nkind = "{topology}"\n\n'


def tail(choices: Choices, *, by_links: bool) -> Iterator[str]:
    """Write the radio, the scheme and the traffic of a scenario."""
    if choices.radio.mesh:
        yield from _whole_mesh(choices, by_links=by_links)
        return
    yield from _radio(choices, by_links=by_links)
    load = choices.radio.load if choices.load is None else choices.load
    yield f"\n[scheme]\nname = {_text(choices.scheme)}\n\n"
    yield f'[traffic]\nload = {_text(load)}\npayload = "{choices.radio.payload_bytes} B"\n'


def _lines(mesh: Mesh, choices: Choices, flows: Sequence[Flow], *, by_links: bool) -> Iterator[str]:
    yield from head(mesh, choices.radio.times, "explicit")
    yield from tail(choices, by_links=by_links)
    roles = sorted({_role(node) for node in mesh.nodes} - {""}) if choices.radio.mesh else []
    for role in roles:
        yield f"\n[roles.{role}]\nscheme.role = {_text(role)}\n"
    for node in mesh.nodes:
        yield f"\n[[node]]\nname = {_text(node.name)}{_about(node)}\n{_place(node)}"
        if roles and _role(node):
            yield f"role = {_text(_role(node))}\n"
    for source, target in flows:
        yield f"\n[[flow]]\nfrom = {_text(source)}\nto = {_text(target)}\n"
    names = {node.id: node.name for node in mesh.nodes}
    for link in mesh.links:
        note = "  # mirrored" if link.mirrored else ""
        yield f"\n[[link]]{note}\n"
        yield f"from = {_text(names[link.source])}\nto = {_text(names[link.target])}\n"
        if link.signal_dbm is not None:
            yield f'signal = "{link.signal_dbm:g} dBm"\n'
        if link.delivery is not None:
            yield f"delivery = {_ratio(link.delivery)}\n"
        if link.deviation_db:
            yield f'deviation = "{link.deviation_db:g} dB"\n'


def _whole_mesh(choices: Choices, *, by_links: bool) -> Iterator[str]:
    """Write the radio, MAC, scheme and traffic of a mesh as people run it."""
    radio = choices.radio
    yield "".join(
        f"# {_comment(_capital(line))}.\n" for line in radio_lines(choices, by_links=by_links)
    )
    if not by_links:
        yield '[radio]\npropagation = "log-distance"\ntransmit_power = "1 W"\n\n'
    elif choices.neighbour_delivery != NEIGHBOURS:
        yield f"[radio]\nneighbour_delivery = {choices.neighbour_delivery:g}\n\n"
    yield "[mac]\n" + "".join(f"{key} = {value}\n" for key, value in radio.mac.items())
    yield f"\n[scheme]\nname = {_text(radio.mesh)}\n"
    yield "".join(f"{key} = {value}\n" for key, value in of_setting(radio).items())
    yield f'\n[traffic]\nkind = {_text(radio.mesh)}\nstop_before_end = "60 s"\n'
    yield f"stretch = {radio.symbol_ms / 100:g}\n"


def of_setting(radio: Preset) -> dict[str, str]:
    """Return the scheme's keys that follow from the setting, where it is not the default one."""
    if radio.name == MESH_DEFAULT:
        return {}
    slot = int(2.5 * radio.symbol_ms + 7.6)
    return {"slot": f'"{slot} ms"', "noise_floor": f'"{radio.noise_dbm:g} dBm"'}


def _role(node: Node) -> str:
    return node.role if node.role in ROLES else ""


def _roles(mesh: Mesh, choices: Choices) -> Iterator[str]:
    """Say which roles of the file the scheme does not have."""
    others = [node.role for node in mesh.nodes if node.role and not _role(node)]
    counted = {role: others.count(role) for role in sorted(set(others) - {"client"})}
    if counted and choices.radio.mesh:
        said = ", ".join(f"{role}: {count}" for role, count in counted.items())
        yield f"nodes of roles that the scheme does not have, taken as clients ({said})"


def _radio(choices: Choices, *, by_links: bool) -> Iterator[str]:
    """Write [radio] and [mac], and how they are chosen."""
    lines = radio_lines(choices, by_links=by_links)
    yield "".join(f"# {_comment(_capital(line))}.\n" for line in lines)
    if by_links:
        receive, sense = choices.thresholds_dbm
        yield f'[radio]\nreceive_threshold = "{receive:g} dBm"\nsense_threshold = "{sense:g} dBm"\n'
        if choices.neighbour_delivery != NEIGHBOURS:
            yield f"neighbour_delivery = {choices.neighbour_delivery:g}\n"
    else:
        sense_m = choices.range_m * 2.2  # as ns-2's 550 m are to its 250 m
        yield f'[radio]\nreceive_range = "{choices.range_m:g} m"\nsense_range = "{sense_m:g} m"\n'
        yield f'frequency = "{choices.radio.frequency}"\n'
    if "ofdm" in choices.radio.mac.get("timing", ""):
        yield 'interference = "ratio"\n'  # the thresholds are those of the rate
    yield f'\n[mac]\ndata_rate = "{rate(choices.radio.rate_bit_s)}"\n'
    yield "".join(f"{key} = {value}\n" for key, value in choices.radio.mac.items())


def rate(bit_s: float) -> str:
    """Return a rate with its unit."""
    for unit, size in (("Mbit/s", 1e6), ("kbit/s", 1e3)):
        if bit_s >= size and (bit_s / size * 100).is_integer():
            return f"{bit_s / size:g} {unit}"
    return f"{bit_s:.0f} bit/s"


def _ratio(delivery: float) -> float:
    """Round a ratio, but not to nothing."""
    return max(round(delivery, DIGITS), 10.0**-DIGITS if delivery else 0.0)


def _place(node: Node) -> str:
    if node.metres is None:
        return ""
    x, y = node.metres
    return f'x = "{x:.1f} m"\ny = "{y:.1f} m"\n'


def _about(node: Node) -> str:
    """Return a comment with what a scenario has no key for."""
    said = [
        f'"{_comment(node.label)}" in the file' if node.label not in ("", node.name) else "",
        "" if node.height_m is None else f"{node.height_m:g} m high",
        "laid out by its links" if node.laid_out else "",
    ]
    given = ", ".join(filter(None, said))
    return f"  # {given}" if given else ""


def _capital(line: str) -> str:
    return line[:1].upper() + line[1:]


def _comment(text: str) -> str:
    """Leave out what no comment can have: ends of lines, and other control characters."""
    return "".join(c if c.isprintable() else " " for c in text)


def _text(value: Any) -> str:
    """Write text as TOML does, which is as JSON does but for one sign."""
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
