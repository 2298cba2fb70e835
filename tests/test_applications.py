"""What the page of applications on Linux says, against what was measured."""

from __future__ import annotations

from functools import reduce
from operator import getitem
from statistics import median

from tests import applications

RUNS = applications.grouped(applications.kept()["rows"])
QUIET = ("cxcc", "wake")
TCP_IN_TCP = ("newreno", "lecn", "adtcp", "xcp", "hxh")


def of(scheme: str, *path: str, proxies: bool = False) -> float:
    """Return the median over the runs of a scheme of what stands there in a row."""
    return median(reduce(getitem, path, row) for row in RUNS[scheme, proxies])


CURL, KEYS = ("download", "kbit_s"), ("download", "keys", "p95_s")
PING, NAMES = (("download", kind, "median_s") for kind in ("ping", "names"))
FLOOD = ("flood", "median_s")


def test_every_scheme_has_runs_and_every_download_came_whole() -> None:
    assert {"udp", *QUIET, *TCP_IN_TCP, "wxcp", "tcp-ap", "cl", "flush"} <= {
        name for name, _ in RUNS
    }
    assert {len(rows) for rows in RUNS.values()} == {2}
    assert all(row["download"]["whole"] for rows in RUNS.values() for row in rows)


def test_what_the_page_says_of_those_who_share_the_air_is_in_the_data() -> None:
    for scheme in QUIET:
        for wait in (PING, NAMES):
            assert 0.04 < of(scheme, *wait) < 0.08
            assert 0.25 < of("udp", *wait) < 0.35
        assert of(scheme, *KEYS) < 0.2
        assert 2 / 3 < of(scheme, *CURL) / of("udp", *CURL) < 3 / 4
        assert of(scheme, *FLOOD) < 0.04
        assert all(row["flood"]["lost"] == 0 for row in RUNS[scheme, False])
    assert of("udp", *KEYS) > 0.45
    assert of("udp", *FLOOD) > 1.5
    assert all(row["flood"]["answered"] <= 5 for row in RUNS["udp", False])


def test_what_the_page_says_of_proxies_is_in_the_data() -> None:
    assert of("cxcc", *CURL, proxies=True) > of("cxcc", *CURL)
    assert all(of("cxcc", *wait, proxies=True) < of("cxcc", *wait) for wait in (PING, NAMES))
    for control in ("cubic", "bbr"):
        best = of("wake", control, "kbit_s", proxies=True)
        others = [
            median(row[control]["kbit_s"] for row in rows)
            for kind, rows in RUNS.items()
            if kind != ("wake", True)
        ]
        assert best > 0.95 * max(others)
        assert all(row[control]["ping_median_s"] < 0.1 for row in RUNS["wake", True])
    assert of("wake", *CURL, proxies=True) < of("wake", *CURL)
    assert all(of("udp", *wait, proxies=True) > 1 for wait in (PING, NAMES))


def test_what_the_page_says_of_loops_inside_loops_is_in_the_data() -> None:
    for scheme in TCP_IN_TCP:
        assert of(scheme, *CURL) < 0.75 * of("udp", *CURL)
        assert of(scheme, *PING) > 0.65 * of("udp", *PING)
    for scheme in ("tcp-ap", "wxcp"):
        assert of(scheme, *PING) < 0.1
        assert 0.4 < of(scheme, *CURL) / of("udp", *CURL) < 0.55
    assert 0.85 < of("hxh", *CURL, proxies=True) / of("udp", *CURL) < 0.95
