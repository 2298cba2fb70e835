"""What an import found: what it read, what it left out and why, and what it made of measures."""

from __future__ import annotations

from dataclasses import dataclass, replace

# Nodes that are named where some are left out; of more there is only the number.
NAMED = 5


@dataclass(frozen=True)
class Findings:
    """What was read, and what became of it; every number counts nodes, rows or directions."""

    format: str = ""
    nodes_read: int = 0
    # Lines, objects or edges of the file that are links.
    rows_read: int = 0
    # Nodes that are left out: cause, and their names.
    nodes_gone: tuple[tuple[str, tuple[str, ...]], ...] = ()
    # Directions that are left out: cause, and how many.
    links_gone: tuple[tuple[str, int], ...] = ()
    # Directions that are left out with their nodes.
    links_of_nodes: int = 0
    # How rows were read: the measure with its conversion, and how many rows.
    measures: tuple[tuple[str, int], ...] = ()
    # Directions that have the value of the other direction.
    mirrored: int = 0
    # What else a reader should know.
    remarks: tuple[str, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was left out, with its cause and how many."""
        nodes = [f"{cause}: {len(names)}" for cause, names in self.nodes_gone]
        return (*nodes, *(f"{cause}: {count}" for cause, count in self.links_gone))

    def read(self, kind: str, nodes: int, rows: int) -> Findings:
        """Add what a file was and how much it has."""
        both = f"{self.format} with {kind}" if self.format else kind
        return replace(
            self,
            format=both,
            nodes_read=self.nodes_read + nodes,
            rows_read=self.rows_read + rows,
        )

    def without_nodes(self, cause: str, names: list[str], links: int) -> Findings:
        """Add nodes that are left out, with so many directions of their links."""
        gone = (*self.nodes_gone, (cause, tuple(names)))
        return replace(self, nodes_gone=gone, links_of_nodes=self.links_of_nodes + links)

    def without_links(self, cause: str, count: int) -> Findings:
        """Add directions that are left out, if there are any."""
        return replace(self, links_gone=(*self.links_gone, (cause, count))) if count else self

    def measured(self, how: dict[str, int]) -> Findings:
        """Add how rows were read."""
        return replace(self, measures=(*self.measures, *how.items()))

    def noted(self, *remarks: str) -> Findings:
        """Add remarks; empty ones do not count."""
        return replace(self, remarks=(*self.remarks, *filter(None, remarks)))

    def lines(self) -> list[str]:
        """Return everything but what was left out, a line for each thing."""
        rows = f" and {self.rows_read} links" if self.rows_read else ""
        lines = [f"read {self.nodes_read} nodes{rows} as {self.format}"]
        lines += [f"measure of {count} links: {how}" for how, count in self.measures]
        if self.links_of_nodes:
            lines.append(f"directions that are left out with their nodes: {self.links_of_nodes}")
        if self.mirrored:
            lines.append(f"directions that the file does not list, mirrored: {self.mirrored}")
        return [*lines, *self.remarks]

    def few(self) -> list[tuple[str, ...]]:
        """Return the names of nodes that are left out for a cause, where they are few."""
        return [names for _, names in self.nodes_gone if len(names) <= NAMED]

    def gone(self) -> list[str]:
        """Return what was left out, with the names of the nodes if they are few."""
        lines = []
        for cause, names in self.nodes_gone:
            some = f" ({', '.join(names)})" if len(names) <= NAMED else ""
            lines.append(f"{cause}: {len(names)}{some}")
        return [*lines, *(f"{cause}: {count}" for cause, count in self.links_gone)]

    def to_dict(self) -> dict[str, object]:
        """Return everything under the names of its fields."""
        return {
            "format": self.format,
            "nodes": {
                "read": self.nodes_read,
                "left_out": [
                    {"cause": cause, "count": len(names), "names": list(names)}
                    for cause, names in self.nodes_gone
                ],
            },
            "links": {
                "read": self.rows_read,
                "mirrored": self.mirrored,
                "left_out_with_nodes": self.links_of_nodes,
                "left_out": [{"cause": cause, "count": count} for cause, count in self.links_gone],
            },
            "measures": [{"measure": how, "links": count} for how, count in self.measures],
            "remarks": list(self.remarks),
        }
