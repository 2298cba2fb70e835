"""Names of nodes that hosts and files may have, from whatever they are called in the world."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from ..engine.errors import MeshError
from .mesh import Node

# What hosts and files may be called, as in labs.
NAME_LENGTH = 40
# Letters that lose their sound without their marks.
LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ø": "oe"}
)


def named(nodes: Iterable[Node], where: str) -> tuple[Node, ...]:
    """Give every node a valid name of its own, and keep the one of the file as its label.

    Of nodes that share a label, each is named by its id. Two of one id are refused.
    """
    given = list(nodes)
    counts: dict[str, int] = {}
    ids: set[str] = set()
    for node in given:
        if not node.id.strip():
            raise MeshError(f"{where}: a node has an empty name; give it one")
        if node.id in ids:
            raise MeshError(f"{where}: there are two nodes '{node.id}'; remove one of them")
        ids.add(node.id)
        counts[node.label] = counts.get(node.label, 0) + 1

    def label(node: Node) -> str:
        taken = node.label != node.id and node.label in ids
        return node.label if node.label.strip() and counts[node.label] == 1 and not taken else ""

    wanted = [label(node) or node.id for node in given]
    # A name that is valid as it is goes to its node; the others get what is left.
    taken = {name for name in wanted if valid(name) == name}
    found = []
    for node, name in zip(given, wanted, strict=True):
        own = name if valid(name) == name else _free(valid(name), taken)
        taken.add(own)
        found.append(node._replace(name=own, label=node.label or node.id))
    return tuple(found)


def valid(name: str) -> str:
    """Return a name of letters, digits, ".", "_" and "-" that resembles another."""
    plain = unicodedata.normalize("NFKD", name.translate(LETTERS)).encode("ascii", "ignore")
    words = re.sub(r"[^A-Za-z0-9_.-]+", "-", plain.decode())
    found = re.sub(r"^[^A-Za-z0-9]+", "", words)[:NAME_LENGTH]
    return found if found and found == name else found.rstrip("-") or "node"


def _free(name: str, taken: set[str]) -> str:
    number, found = 2, name
    while found in taken:
        end = f"-{number}"
        found, number = name[: NAME_LENGTH - len(end)] + end, number + 1
    return found
