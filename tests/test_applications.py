"""What the page of applications on Linux says, against what was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from tests import applications

RUNS = applications.grouped(applications.kept()["rows"])
QUIET = ("cxcc", "wake")
TCP_IN_TCP = ("newreno", "lecn", "adtcp", "xcp", "hxh")


def of(scheme: str, value: Callable[[Any], float], proxies: bool = False) -> float:
    """Return the median over the runs of a scheme."""
    return median(value(row) for row in RUNS[scheme, proxies])


def waits(*kinds: str) -> Sequence[Callable[[Any], float]]:
    """Return what reads the median waits beside a download."""
    return [lambda row, kind=kind: row["download"][kind]["median_s"] for kind in kinds]  # type: ignore[misc]


def curl(row: Any) -> float:
    return float(row["download"]["kbit_s"])


def keys(row: Any) -> float:
    return float(row["download"]["keys"]["p95_s"])


def flood(row: Any) -> float:
    return float(row["flood"]["median_s"])


def test_every_scheme_has_runs_and_every_download_came_whole() -> None:
    assert {"udp", *QUIET, *TCP_IN_TCP, "wxcp", "tcp-ap", "cl", "flush"} <= {
        name for name, _ in RUNS
    }
    assert {len(rows) for rows in RUNS.values()} == {2}
    assert all(row["download"]["whole"] for rows in RUNS.values() for row in rows)


def test_what_the_page_says_of_those_who_share_the_air_is_in_the_data() -> None:
    for scheme in QUIET:
        for wait in waits("ping", "names"):
            assert 0.04 < of(scheme, wait) < 0.08
            assert 0.25 < of("udp", wait) < 0.35
        assert of(scheme, keys) < 0.2
        assert 2 / 3 < of(scheme, curl) / of("udp", curl) < 3 / 4
        assert of(scheme, flood) < 0.04
        assert all(row["flood"]["lost"] == 0 for row in RUNS[scheme, False])
    assert of("udp", keys) > 0.45
    assert of("udp", flood) > 1.5
    assert all(row["flood"]["answered"] <= 5 for row in RUNS["udp", False])


def test_what_the_page_says_of_proxies_is_in_the_data() -> None:
    assert of("cxcc", curl, True) > of("cxcc", curl)
    assert all(of("cxcc", wait, True) < of("cxcc", wait) for wait in waits("ping", "names"))
    for control in ("cubic", "bbr"):
        best = of("wake", lambda row, way=control: row[way]["kbit_s"], True)  # type: ignore[misc]
        others = [
            median(row[control]["kbit_s"] for row in rows)
            for kind, rows in RUNS.items()
            if kind != ("wake", True)
        ]
        assert best > 0.95 * max(others)
        assert all(row[control]["ping_median_s"] < 0.1 for row in RUNS["wake", True])
    assert of("wake", curl, True) < of("wake", curl)
    assert all(of("udp", wait, True) > 1 for wait in waits("ping", "names"))


def test_what_the_page_says_of_loops_inside_loops_is_in_the_data() -> None:
    [ping] = waits("ping")
    for scheme in TCP_IN_TCP:
        assert of(scheme, curl) < 0.75 * of("udp", curl)
        assert of(scheme, ping) > 0.65 * of("udp", ping)
    for scheme in ("tcp-ap", "wxcp"):
        assert of(scheme, ping) < 0.1
        assert 0.4 < of(scheme, curl) / of("udp", curl) < 0.55
    assert 0.85 < of("hxh", curl, True) / of("udp", curl) < 0.95
