"""All schemes side by side: who is there, how the best load is found, and that the page is true."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from multihop import Scenario, run, schemes
from multihop.comparing.measures import GOODPUT, NETWORK_DELAY
from multihop.reporting.report import Table
from multihop.reproducing.spec import Data, StudyData
from multihop_papers import compare
from multihop_papers.compare import pictures
from multihop_papers.compare.entries import OFFERED, SETTINGS, STANDS_FOR, entries, offered
from multihop_papers.compare.measures import FAIRNESS, Entry, best_loads, curve, span, table
from multihop_papers.compare.page import header, names, renew, shown, written
from multihop_papers.compare.radios import RADIO_NETWORKS, chain, goodputs
from multihop_papers.compare.setup import CHAINS, NETWORKS, Network, loads, two_flows
from tests.worlds import measured

PAGE = Path(__file__).resolve().parent.parent / "docs" / "guides" / "all-schemes.md"
OFDM_PAGE = PAGE.with_name("all-schemes-ofdm.md")
# Whose row is run again: cheap, and busy enough to tell.
AGAIN = (NETWORKS[0], 8)
NAMES = {scheme["name"] for scheme in schemes() if not scheme["floods"]}


def rate(network: Network, scheme: str, load: float) -> float:
    """Let UDP deliver most at its third load, and every other scheme its own."""
    if scheme != OFFERED:
        return 1e5 + 1e3 * len(scheme)
    at = list(network.search.variants).index(f"{load:.0f} kbit/s")
    return 2e5 - 1e4 * abs(at - 3)


def searched(network: Network) -> dict[str, StudyData]:
    def row(variant: str, x: float, seed: int) -> tuple:  # type: ignore[type-arg]
        load = float(variant.split()[0]) if "kbit" in variant else 0.0
        goodput = rate(network, OFFERED if load else variant, load)
        run = {
            "goodput_bit_s": goodput,
            "network_delay_mean_s": 0.1,
            "network_delay_p95_s": 0.2,
            "end_to_end_delay_mean_s": 0.3,
            "end_to_end_delay_p95_s": 0.4,
            "overhead": 1.5,
        }
        # As many flows as the network is large.
        return run, [{"delivered": 100.0}] * int(x)

    return {study.name: measured(study, row) for study in (network.schemes, network.search)}


def world() -> Data:
    radios = (network for networks in RADIO_NETWORKS.values() for network in networks)
    found: dict[str, StudyData] = {}
    for network in (*NETWORKS, *radios):
        found |= searched(network)
    return Data(found)


def test_every_scheme_is_there_or_another_stands_for_it() -> None:
    assert {*entries(), *STANDS_FOR, OFFERED} == NAMES
    assert {*STANDS_FOR.values(), *SETTINGS} <= NAMES
    for network in NETWORKS:
        assert set(network.schemes.variants) == set(entries())


def test_every_entry_can_be_run() -> None:
    base = Scenario.from_file(CHAINS.schemes.base).with_(duration="1 s", **two_flows(1))
    for entry in (*entries().values(), offered("50 kbit/s")):
        assert run(entry.apply(base)).flows["goodput_bit_s"].sum() > 0, entry.scheme


def test_loads_are_a_step_apart() -> None:
    found = [float(load.split()[0]) for load in loads(10, 20)]
    assert found == pytest.approx([10, 11.5, 13.2, 15.2, 17.5], abs=0.5)


@pytest.mark.parametrize("network", NETWORKS)
def test_the_best_load_is_the_one_at_which_most_arrives(network: Network) -> None:
    found = best_loads(searched(network)[network.search.name])
    assert set(found) == {list(network.search.variants)[3]}


@pytest.mark.parametrize("network", NETWORKS)
def test_the_table_has_every_scheme_at_every_size(network: Network) -> None:
    found = table(world(), network)
    assert len(found.rows) == len(network.shown) * (1 + len(entries()))
    assert all(len(row) == len(found.header) for row in found.rows)
    first = dict(zip(found.header, found.rows[0], strict=True))
    assert first[GOODPUT.title] == "200.0 (200.0 to 200.0)"
    assert first[FAIRNESS.title] == "1.000 (1.000 to 1.000)"
    assert first["scheme"].startswith("UDP, best load (")


def test_intervals_stay_where_a_measure_can_be() -> None:
    """A mean minus half a symmetric interval would be below 0, or plus it above 1."""
    skewed = {NETWORK_DELAY.column: np.array([[0.001, 0.001, 0.001, 0.5]])}
    uneven = {FAIRNESS.column: np.array([[0.6, 1.0, 1.0, 1.0]])}
    entry = Entry("a", "udp", skewed | uneven, (2,))
    delay, jain = span(entry, 0, NETWORK_DELAY), span(entry, 0, FAIRNESS)
    assert delay.mean == pytest.approx(125.75)
    assert 0 < delay.low < delay.mean < delay.high
    assert 0.5 < jain.low < jain.mean < jain.high < 1
    assert curve("a", "udp", np.array([1.0]), [delay]).error[:, 0] == pytest.approx(
        [delay.mean - delay.low, delay.high - delay.mean]
    )


def test_of_one_value_there_is_no_interval() -> None:
    once = {NETWORK_DELAY.column: np.array([[0.1, np.nan], [np.nan, np.nan]])}
    entry = Entry("a", "udp", once, (2, 2))
    spans = [span(entry, at, NETWORK_DELAY) for at in (0, 1)]
    assert spans[0].mean == pytest.approx(100)
    assert np.isnan([spans[0].low, spans[1].mean]).all()
    assert curve("a", "udp", np.array([1.0, 2.0]), spans).error.tolist() == [[0, 0], [0, 0]]


@pytest.mark.long
def test_every_panel_can_be_drawn() -> None:
    for panel in (panel for figure in compare.FIGURES for panel in figure.panels):
        axes = Figure().add_subplot()
        panel.draw(axes, world())
        assert len(axes.get_lines()) >= len(entries()), panel.id


def test_a_page_gets_its_tables() -> None:
    text = "# a\n<!-- measured: chain -->\nold\n<!-- end -->\nb\n<!-- measured: grid -->\n"
    text += "<!-- end -->\n"
    one, two = (Table("t", ("hops", "scheme"), [("1", name)]) for name in ("x", "y"))
    found = renew(text, [one, two])
    assert written(one) in found
    assert shown(found) == {"chain": [["1", "x"]], "grid": [["1", "y"]]}
    assert renew(found, [one, two]) == found


REMEDY = "python -m multihop_papers.compare docs/guides/all-schemes.md"


def test_the_page_has_every_scheme() -> None:
    rows = shown(PAGE.read_text(encoding="utf-8"))
    titles = {entry.title for entry in entries().values()} | {offered("1 kbit/s").title}
    for name, network in zip(("chain", "grid"), NETWORKS, strict=True):
        there = {(row[0], row[1].partition(" (")[0]) for row in rows[name]}
        assert there == {(f"{size:g}", title) for size in network.shown for title in titles}, REMEDY


@pytest.mark.parametrize("name", ["a24_82", "n65_91"])
def test_every_entry_can_be_run_on_radios_of_ofdm(name: str) -> None:
    chains, random = RADIO_NETWORKS[name]
    base = Scenario.from_file(chains.schemes.base).with_(
        warmup="1 s", duration="1 s", **chains.schemes.settings
    )
    for entry in entries().values():
        flows = run(entry.apply(base).with_(**chain(2))).flows
        assert flows["hops"].to_list() == [2, 2], entry.scheme
        assert flows["goodput_bit_s"].sum() > 0, entry.scheme
    places = [base.with_(**random.schemes.at(number)) for number in (1, 2)]
    assert [len(place.to_dict()["topology"]) > 5 for place in places] == [True, True]
    assert places[0] != places[1]


def test_a_table_of_a_radio_has_chains_and_random_networks() -> None:
    networks = RADIO_NETWORKS["a24_82"]
    found = goodputs(world(), networks)
    assert found.header[:3] == ("scheme", "1 hop", "4 hops")
    assert found.header[-1] == "2 random networks"
    assert len(found.rows) == 1 + len(entries())
    assert set(found.rows[0][1:]) == {"0.20 (0.20 to 0.20)"}


def test_the_page_of_ofdm_has_every_scheme_on_every_radio() -> None:
    text = OFDM_PAGE.read_text(encoding="utf-8")
    assert names(text) == list(RADIO_NETWORKS)
    titles = [offered("1 kbit/s").title, *(entry.title for entry in entries().values())]
    for name, rows in shown(text).items():
        assert [row[0] for row in rows] == titles, name
        assert all(len(row) == 8 for row in rows), name


@pytest.mark.long
def test_the_pictures_show_every_scheme_of_the_page(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert header(page)[1:4] == ["scheme", GOODPUT.title, NETWORK_DELAY.title]
    for name, network in zip(("chain", "grid"), NETWORKS, strict=True):
        lines = pictures.curves(shown(page)[name], 2)
        assert {line.title for line in lines} == {
            row[1].partition(" (")[0] for row in shown(page)[name]
        }
        assert all(list(line.x) == list(network.shown) for line in lines)
        wxcp = next(line for line in lines if line.title == "WXCP")
        row = next(row for row in shown(page)[name] if row[1] == "WXCP")
        low, high = wxcp.y[0] - wxcp.error[0][0], wxcp.y[0] + wxcp.error[1][0]
        assert f"{wxcp.y[0]:.1f} ({low:.1f} to {high:.1f})" == row[2]
    written = pictures.draw(page, tmp_path)
    images = PAGE.parent.parent / "images"
    assert [path.name for path in written] == ["all-schemes-chain.svg", "all-schemes-grid.svg"]
    for path in written:
        assert (images / path.name).exists()
        assert f"../images/{path.name}" in page


@pytest.mark.long
def test_the_page_is_what_is_measured() -> None:
    """Run one row of each scheme's again, apart from UDP's, whose load is searched for."""
    network, size = AGAIN
    study = replace(network.schemes, values=(size,))
    effort = study.efforts.choose(quick=False, seeds=None)
    goodputs: dict[str, list[float]] = {}
    for point in study.points(effort):
        title = study.variants[str(point.labels["variant"])].title
        found = run(point.scenario).runs["goodput_bit_s"][0]
        goodputs.setdefault(title, []).append(float(found) * GOODPUT.scale)
    rows = shown(PAGE.read_text(encoding="utf-8"))["chain"]
    page = {row[1]: row[2].split(" (")[0] for row in rows if row[0] == f"{size}"}
    for title, found in goodputs.items():
        assert page[title] == f"{np.mean(found):.{GOODPUT.digits}f}", REMEDY
