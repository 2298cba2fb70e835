"""The tables of what schemes give to applications, of what `benches/applications.py` has kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from multihop._multihop import schemes
from multihop.reporting.markdown import markdown_table

KEPT = Path(__file__).resolve().parent.parent / "benches" / "applications.json"
Row = Mapping[str, Any]


def kept() -> Any:
    """Read what was measured."""
    return json.loads(KEPT.read_text(encoding="utf-8"))


def grouped(rows: Sequence[Row]) -> dict[tuple[str, bool], list[Row]]:
    """Return the runs of each scheme with and without proxies, in the order of the file."""
    found: dict[tuple[str, bool], list[Row]] = {}
    for row in rows:
        found.setdefault((row["scheme"], row["proxies"]), []).append(row)
    return found


def waits(found: Row) -> str:
    """Write the median of some waits in ms, and how many of the questions were lost."""
    if found["median_s"] is None:
        return "no answer"
    lost = (
        f" ({found['lost']} of {found['answered'] + found['lost']} lost)" if found["lost"] else ""
    )
    return f"{1e3 * found['median_s']:.0f}{lost}"


def fetched(row: Row) -> str:
    """Write the goodput of the download in kbit/s."""
    found = row["download"]
    return f"{found['kbit_s']:.0f}" if found["whole"] else "not in time"


def slowest_keys(row: Row) -> str:
    """Write which wait 95 % of the keys stay below, in ms."""
    found = row["download"]["keys"]["p95_s"]
    return "no answer" if found is None else f"{1e3 * found:.0f}"


def both_ways(control: str) -> Callable[[Row], str]:
    """Return what writes goodput both ways in kbit/s, the weaker way's share, and pings in ms."""

    def write(row: Row) -> str:
        found = row[control]
        ping, share = found["ping_median_s"], found["weaker_to_stronger"]
        shown = "no answer" if ping is None else f"{1e3 * ping:.0f}"
        return f"{found['kbit_s']:.0f} ({'-' if share is None else share}), {shown}"

    return write


DOWNLOAD: Mapping[str, Callable[[Row], str]] = {
    "`curl` (kbit/s)": fetched,
    "ping alone (ms)": lambda row: waits(row["idle"]),
    "ping (ms)": lambda row: waits(row["download"]["ping"]),
    "names (ms)": lambda row: waits(row["download"]["names"]),
    "keys, 95 % below (ms)": slowest_keys,
}
OTHERS: Mapping[str, Callable[[Row], str]] = {
    "ping under a flood (ms)": lambda row: waits(row["flood"]),
    "CUBIC both ways (kbit/s, ms)": both_ways("cubic"),
    "BBR both ways (kbit/s, ms)": both_ways("bbr"),
}


def tables() -> dict[str, str]:
    """Make the tables by name."""
    found = kept()
    groups = grouped(found["rows"])
    titles = {scheme["name"]: scheme["title"] for scheme in schemes()}

    def made(columns: Mapping[str, Callable[[Row], str]]) -> str:
        rows = [
            (
                titles[scheme] + (", proxies" if proxies else ""),
                *("; ".join(write(row) for row in runs) for write in columns.values()),
            )
            for (scheme, proxies), runs in groups.items()
        ]
        return markdown_table(("scheme", *columns), rows)

    about = (
        f"`{found['command']}` on {found['cores']} cores at a load average of "
        f"{found['load_average']:g}. 99 % of the medium's events were at most "
        f"{1e3 * found['median_lag_p99_s']:.1f} ms late in half the runs, and "
        f"{1e3 * found['worst_lag_p99_s']:.1f} ms in the worst one. The machine's TCP is "
        f"{found['kernel_tcp']}, where nothing else is said.\n"
    )
    return {
        "applications": made(DOWNLOAD),
        "applications others": made(OTHERS),
        "applications conditions": about,
    }
