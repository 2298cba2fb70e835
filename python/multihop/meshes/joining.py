"""From the nodes and rows of a file to a mesh: names, directions, and several rows for one link.

A direction keeps what the file says of it. Rows that say the same of one direction are combined:
over one medium their mean counts, over several media the best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from ..engine.errors import MeshError
from .findings import NAMED, Findings
from .measures import Measuring, Reader, Row
from .mesh import Link, Mesh, Node
from .names import named

# Places of nodes that are people's homes are rounded to so many degrees, some 200 m.
ROUNDED = 0.002


@dataclass(frozen=True)
class Raw:
    """What a reader finds in a file, before anything is concluded from it."""

    format: str
    nodes: Sequence[Node] = ()
    rows: Sequence[Row] = ()
    # Further names of nodes, as their other addresses.
    aliases: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    # Whether the file says that a direction it does not list is none.
    directed: bool = False
    # Whether rows may name nodes that the file does not have, as maps do of nodes that are off.
    partial: bool = False
    # Whether the file can have links: that it lists none is then a statement.
    lists_links: bool = False
    # Whether it names people's homes: nodes get numbers then, unless names are to be kept.
    private: bool = False
    # The noise in dBm above which the file's SNRs are, where it says of which radio they are.
    noise_dbm: float | None = None
    remarks: tuple[str, ...] = ()


def mesh_of(raw: Raw, measuring: Measuring, where: str) -> Mesh:
    """Make a mesh of what one file has."""
    nodes = named(raw.nodes, where)
    if (raw.private or measuring.homes) and not measuring.keep_names:
        raw = numbered(raw)
        nodes = named(raw.nodes, where)
    findings = Findings().read(raw.format, len(nodes), len(raw.rows)).noted(*raw.remarks)
    mesh = Mesh(
        nodes, findings=findings, title=raw.title, one_way=raw.directed, aliases=raw.aliases
    )
    return linked(mesh, raw, measuring, where)


def numbered(raw: Raw) -> Raw:
    """Give nodes numbers instead of names, in the order of the file, and round their places."""
    numbers = {node.id: f"n{at}" for at, node in enumerate(raw.nodes, 1)}
    nodes = tuple(
        node._replace(
            id=numbers[node.id],
            name=numbers[node.id],
            label=numbers[node.id],
            degrees=node.degrees and _rounded(node.degrees),
        )
        for node in raw.nodes
    )
    note = (
        f"names are replaced by numbers, and places rounded to {ROUNDED:g} degrees (--keep-names)"
    )
    return replace(raw, nodes=nodes, aliases=numbers, remarks=(*raw.remarks, note), title="")


def _rounded(place: tuple[float, float]) -> tuple[float, float]:
    return (round(place[0] / ROUNDED) * ROUNDED, round(place[1] / ROUNDED) * ROUNDED)


def linked(mesh: Mesh, raw: Raw, measuring: Measuring, where: str) -> Mesh:
    """Add links to nodes that are known."""
    if measuring.by_distance:
        return mesh
    if raw.noise_dbm is not None and not measuring.noise_given:
        measuring = replace(measuring, noise_dbm=raw.noise_dbm)
    ids = {name: node.id for node in mesh.nodes for name in (node.name, node.label) if name}
    ids |= {**mesh.aliases, **raw.aliases} | {node.id: node.id for node in mesh.nodes}
    findings, rows = mesh.findings, []
    for row in raw.rows:
        ends = ids.get(row.source), ids.get(row.target)
        if None in ends and not raw.partial:
            lost = row.source if ends[0] is None else row.target
            raise MeshError(f"{row.at}: a link names '{lost}', which is none of the nodes")
        if None not in ends and ends[0] != ends[1]:
            rows.append(row._replace(source=str(ends[0]), target=str(ends[1])))
    findings = findings.without_links(
        "links of a node to itself or to nodes that the file does not have",
        len(raw.rows) - len(rows),
    )
    links, findings = _measured(rows, measuring, findings, where)
    return replace(
        mesh,
        links=(*mesh.links, *links),
        findings=findings,
        by_links=mesh.by_links or bool(raw.rows) or raw.lists_links,
        one_way=mesh.one_way or raw.directed,
        silent=mesh.silent | {(row.target, row.source) for row in rows if row.both is False},
    )


def _measured(
    rows: Sequence[Row], measuring: Measuring, findings: Findings, where: str
) -> tuple[tuple[Link, ...], Findings]:
    """Convert what is told of every row; of links without a measure, say what they deliver."""
    reader = Reader(rows, measuring, where)
    read = [(row, reader.read(row)) for row in rows]
    bare = sum(reading is None for _, reading in read)
    assumed = measuring.assumed
    if assumed is None and bare == len(rows):
        assumed = 1.0
    how: dict[str, int] = {}
    said: list[Link] = []
    for row, reading in read:
        here = Link(row.source, row.target, medium=row.medium)
        if reading is None:
            if assumed is not None:
                said += _both(here._replace(delivery=assumed), row.both)
            continue
        how[reading.how] = how.get(reading.how, 0) + 1
        if reading.delivery is not None or reading.signal_dbm is not None:
            there = here._replace(
                delivery=reading.delivery,
                signal_dbm=reading.signal_dbm,
                deviation_db=reading.deviation_db,
            )
            said += _both(there, row.both)
        if reading.back is not None and row.both is not False:
            back = here.reversed()._replace(delivery=reading.back, own=reading.back_is_own)
            said.append(back)
    if bare and assumed is not None:
        how[f"none: taken to deliver {assumed:g} (--assume-delivery)"] = bare
    elif bare:
        findings = findings.without_links(
            "links without a measure among others that have one (--assume-delivery keeps them)",
            bare,
        )
    if reader.unused:
        findings = findings.noted(f"not used of the links: {', '.join(sorted(reader.unused))}")
    links, several = combined(said)
    idle = [link for link in links if link.delivery is not None and link.deviation_db]
    findings = findings.noted(
        f"deviations of links that deliver a given share anyway, left out: {len(idle)}"
        if idle
        else ""
    )
    links = tuple(
        link if link.delivery is None else link._replace(deviation_db=None) for link in links
    )
    findings = findings.noted(
        _several("directions of which several rows tell, combined by their mean", several)
    )
    return links, findings.measured(how)


def _both(link: Link, both: bool | None) -> list[Link]:
    """Return a link and, if the file says that it holds for both directions, the way back."""
    return [link, link.reversed()._replace(own=False)] if both else [link]


def combined(said: Iterable[Link]) -> tuple[tuple[Link, ...], list[Link]]:
    """Return one link for each direction and medium, and those of which several rows told."""
    groups: dict[tuple[str, str, str], list[Link]] = {}
    for link in said:
        groups.setdefault((*link.ends, link.medium), []).append(link)
    return _each(groups.values(), _mean)


def _each(
    groups: Iterable[list[Link]], rule: Callable[[list[float]], float]
) -> tuple[tuple[Link, ...], list[Link]]:
    """Make one link of each group by a rule; what is said of a direction itself counts first."""
    found, several = [], []
    for group in groups:
        own = [link for link in group if link.own] or group
        ratios = [link.delivery for link in own if link.delivery is not None]
        powers = [link.signal_dbm for link in own if link.signal_dbm is not None]
        spreads = [link.deviation_db for link in own if link.deviation_db is not None]
        link = own[0]._replace(
            delivery=rule(ratios) if ratios else None,
            signal_dbm=rule(powers) if powers else None,
            deviation_db=rule(spreads) if spreads else None,
        )
        found.append(link)
        several += [link] if len(own) > 1 else []
    return tuple(found), several


def _several(what: str, links: list[Link]) -> str:
    """Say how many links are of several sayings, and which if they are few."""
    if not links:
        return ""
    some = ", ".join(f"{link.source} to {link.target}" for link in links)
    return f"{what}: {len(links)}" + (f" ({some})" if len(links) <= NAMED else "")


def _mean(values: list[float]) -> float:
    # Summed up, equal numbers may come out different; in order, they come out the same.
    ordered = sorted(values)
    return ordered[0] if ordered[0] == ordered[-1] else fmean(ordered)


def over_all_media(mesh: Mesh) -> Mesh:
    """Keep one link for each direction, the best of several media."""
    groups: dict[tuple[str, str], list[Link]] = {}
    for link in mesh.links:
        groups.setdefault(link.ends, []).append(link)
    links, several = _each(groups.values(), max)
    note = _several("directions over several types of links, of which the best counts", several)
    return replace(mesh, links=links, findings=mesh.findings.noted(note))


def mirrored(mesh: Mesh, wanted: bool | None) -> Mesh:
    """Give directions that the file does not list the value of the other one.

    Not in directed graphs, unless it is `wanted`; a direction that is listed is never touched.
    """
    known = {link.ends for link in mesh.links}
    lacking = [link for link in mesh.links if link.ends[::-1] not in known]
    back = [link.reversed()._replace(own=False, mirrored=True) for link in lacking]
    back = [link for link in back if link.ends not in mesh.silent or wanted]
    if wanted is False or (mesh.one_way and not wanted):
        back = []
    findings = replace(mesh.findings, mirrored=mesh.findings.mirrored + len(back))
    one_way = len(lacking) - len(back)
    note = f"links in one direction only (--mirror gives the other the same value): {one_way}"
    findings = findings.noted(note if one_way else "")
    return replace(mesh, links=(*mesh.links, *back), findings=findings)
