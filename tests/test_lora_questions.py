"""Questions of LoRa meshes: what they compare, the places, and what the page concludes."""

import math
import warnings
from functools import partial

import numpy as np
import polars as pl
import pytest

from multihop import Scenario, run
from multihop.reporting.verdicts import DIFFERS, REPRODUCED, UNDECIDED, Verdict
from multihop.reproducing.preregistered import read
from multihop.reproducing.spec import StudyData
from multihop.viewing.playground import templates
from multihop_papers.lora.custody_tuning import measured as chosen, scenarios
from multihop_papers.lora.figures import RUN, panel_id
from multihop_papers.lora.maps import SEATTLE, SHARES, connected, links, sample, sample_of_shares
from multihop_papers.lora.measures import MEASURES, SHOWN, direct, far
from multihop_papers.lora.page import answer, tables, worlds
from multihop_papers.lora.places import PLACES, nodes
from multihop_papers.lora.questions import QUESTIONS, Question
from multihop_papers.lora.setups import places, studies
from multihop_papers.lora.spacing import settings
from multihop_papers.lora.starts import place_of
from multihop_papers.lora.tuning import NETWORKS, measured, scenario
from multihop_papers.lora.unicast import made as of_place, network

MAPS = (*SHARES, SEATTLE)
pytestmark = pytest.mark.engine


def test_every_question_is_run_or_says_what_would_decide_it() -> None:
    assert [question.number for question in QUESTIONS] == list(range(1, 17))
    for question in QUESTIONS:
        assert bool(question.claims) != ("What would decide it" in question.undecided)
        assert all(source.startswith("https://github.com/") for source in question.sources)


@pytest.mark.parametrize("question", RUN, ids=lambda question: question.id)
def test_claims_compare_variants_of_their_question(question: Question) -> None:
    by = studies(question)
    asked = MAPS if question.id == "custody-maps" else PLACES
    assert set(by) == set(worlds(question)) >= {(place, 6) for place in asked}
    for study in by.values():
        for claim in question.claims:
            assert {claim.new, claim.old} <= set(study.variants)
            assert claim.measure in MEASURES
            assert read(claim.bound)[1] > 0


@pytest.mark.parametrize("question", RUN, ids=lambda question: question.id)
def test_every_run_of_a_question_is_a_scenario(question: Question) -> None:
    study = studies(question)[places(question)[1], 6]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        points = study.points(study.efforts.quick)
    assert len(points) == len(study.variants) * len(study.quick_values)
    one, other = (point.scenario.to_dict() for point in (points[0], points[-1]))
    assert one["node"] != other["node"], "networks differ"
    assert one["scheme"] != other["scheme"] or one != other, "variants do"


@pytest.mark.parametrize("place", PLACES)
def test_places_are_connected_and_the_same_for_the_same_number(place: str) -> None:
    drawn = nodes(place, 48, 3, 1000.0)
    assert drawn == nodes(place, 48, 3, 1000.0) != nodes(place, 48, 4, 1000.0)
    at = np.array([[float(node[axis].split()[0]) for axis in "xy"] for node in drawn])
    near = np.linalg.norm(at[:, None] - at[None], axis=2) < 950.5
    assert np.linalg.matrix_power(near.astype(float), 47).all()


def test_the_map_has_numbers_and_neither_names_nor_places() -> None:
    assert all(len(link) == 4 and link[0] != link[1] for link in links())
    one, again, other = sample(1), sample(1), sample(2)
    assert one == again
    assert one["node"] != other["node"]
    names = {node["name"] for node in one["node"]}
    assert {end for link in one["link"] for end in (link["from"], link["to"])} == names
    assert 0.7 < len(names) / len({link[0] for link in links()}) < 0.9


def test_mobile_nodes_of_the_map_have_weaker_links() -> None:
    plain, with_mobile = sample(3), sample(3, 0.6, -5)
    mobile = {node["name"] for node in with_mobile["node"] if node.get("role") == "mobile"}
    assert not any("role" in node for node in plain["node"])
    assert 0.5 < len(mobile) / len(with_mobile["node"]) < 0.7

    def signals(drawn: dict) -> dict[tuple[str, str], float]:
        return {(one["from"], one["to"]): float(one["signal"].split()[0]) for one in drawn["link"]}

    before, after = signals(plain), signals(with_mobile)
    assert 0 < len(after) < len(before)
    lost = {round(before[ends] - after[ends]) / len(set(ends) & mobile or [1]) for ends in after}
    assert lost == {0, 5}


def test_those_who_send_direct_messages_on_the_map_reach_each_other() -> None:
    drawn = sample(3)
    there = connected(drawn)
    assert 0 < len(drawn["node"]) - len(there) < 5
    question = next(one for one in RUN if one.id == "dm-attempts")
    study = studies(question)[SEATTLE, 6]
    flows = dict(study.at(3.0))["flow"]
    assert len(flows) == 12
    assert {flow[end] for flow in flows for end in ("from", "to")} < set(there)


@pytest.mark.parametrize("name", SHARES)
def test_a_map_of_shares_is_drawn_as_that_of_repeaters(name: str) -> None:
    one, again, other = (sample_of_shares(name, number) for number in (1, 1, 2))
    assert one == again
    assert one["node"] != other["node"]
    names = {node["name"] for node in one["node"]}
    assert {end for link in one["link"] for end in (link["from"], link["to"])} == names
    assert all(0 < link["delivery"] <= 1 for link in one["link"])


def test_the_share_of_duplicates_is_chosen_on_other_networks() -> None:
    runs = list(scenarios(0.25))
    assert len(runs) == len(PLACES) * len(NETWORKS)
    assert all(run.to_dict()["scheme"]["duplicates"] == 0.25 for run in runs)
    found = chosen(0.25, [runs[0].with_(warmup="5 min", duration="10 min")])
    assert 0 < found.air < found.reached < 1
    assert found.said.startswith("duplicates = 0.25: ")


def _measured(question: str, variant: str) -> StudyData:
    """Run one network of a question for a short time."""
    study = studies(next(one for one in RUN if one.id == question))["clustered", 6]
    point = next(p for p in study.points(study.efforts.quick) if p.labels["variant"] == variant)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = run(point.scenario.with_(warmup="10 min", duration="20 min"))
    labels = [pl.lit(value).alias(name) for name, value in point.labels.items()]
    made = {
        name: getattr(found, name).drop("seed", strict=False).with_columns(*labels)
        for name in ("runs", "flows", "nodes", "messages")
    }
    return StudyData(study, made["runs"], made["flows"], made)


def test_measures_leave_the_attacker_out_and_know_direct_messages() -> None:
    data = _measured("flood-reserve", "stock")
    attack = data.flows.filter(pl.col("name") == "attack")["flow"].item()
    messages = data.others["messages"]
    assert messages.filter(flow=attack).height > 100
    data.others["messages"] = messages.with_columns(
        reached=pl.when(flow=attack).then(0).otherwise("reached"),
        near_reached=pl.when(flow=attack).then(0).otherwise("near_reached"),
    )
    assert far(data, "stock") == far(_measured("flood-reserve", "stock"), "stock")
    assert 0 < direct(data, "stock") <= 1
    shown = {name: measure(data, "stock") for name, measure in SHOWN.items()}
    assert all(math.isfinite(value) and value > 0 for value in shown.values()), shown
    assert shown["worst_air"] > shown["air"]
    assert shown["fairness"] < 1


def test_an_answer_needs_all_places_and_captures() -> None:
    question = next(one for one in RUN if one.id == "flood-reserve")
    claim = question.claims[0]

    def found(*kinds: str) -> str:
        ids = [panel_id(question, *world) for world in worlds(question)]
        verdicts = {
            (name, claim.id): Verdict(name, f"{claim.id}: x", "", "1", kind, "", None)
            for name, kind in zip(ids, kinds, strict=False)
        }
        return answer(question, claim, verdicts)

    count = len(worlds(question))
    assert found(*[REPRODUCED] * count) == "yes"
    assert found(*[DIFFERS] * count) == "**no**"
    assert found(*[REPRODUCED] * (count - 1)) == "not run"
    most = count - 2
    assert (
        found(*[REPRODUCED] * (most + 1), DIFFERS)
        == f"yes on {most + 1}, **no** on 1 of {count} worlds"
    )
    assert (
        found(*[REPRODUCED] * most, DIFFERS, UNDECIDED)
        == f"yes on {most}, **no** on 1, open on 1 of {count} worlds"
    )


def test_the_page_has_a_table_for_every_question() -> None:
    made = tables()
    assert {f"lora {question.id}" for question in QUESTIONS} < set(made)
    assert made["lora questions"].count("\n") == 2 + len(QUESTIONS)


def test_the_playground_has_a_scenario_of_every_question() -> None:
    listed = {one["name"]: one for one in templates()}
    for question in RUN:
        found = listed[f"lora-{question.id}"]
        assert found["title"] == f"question: lora {question.id.replace('-', ' ')}"
        assert found["text"].startswith(f"# {question.title}\n")
        study = studies(question)[place_of(question), 6]
        claim = question.claims[0]
        points = study.points(study.efforts.full)
        point = next(one for one in points if one.labels["variant"] == claim.new)
        assert Scenario.from_toml(found["text"]) == point.scenario
        assert study.variants[claim.old].title in found["text"]


def test_chains_have_hops_of_drawn_lengths_and_no_shortcuts() -> None:
    on_chain = partial(of_place, "chain", 1000.0, 48)
    for number in range(1, 15):
        made = network(on_chain, number)
        places = [float(node["x"].split()[0]) for node in made["node"]]
        lengths = np.diff(places)
        assert len(lengths) == 2 + (number - 1) % 7
        assert ((lengths > 600) & (lengths < 950)).all()
        assert ((lengths[1:] + lengths[:-1]) > 1200).all()
        last = f"n{len(lengths)}"
        ends = [(flow["from"], flow["to"]) for flow in made["flow"]]
        assert ends == [("n0", last), (last, "n0")]
    assert network(on_chain, 1) != network(on_chain, 8)


def test_settings_are_chosen_in_networks_that_no_claim_is_judged_in() -> None:
    judged = {x for question in RUN for study in studies(question).values() for x in study.values}
    assert judged.isdisjoint(NETWORKS)
    setting = {"spacing": 2.0, "hold": 0.25}
    assert setting in settings()
    tried = scenario(setting, "chain", NETWORKS[0], {})
    assert {key: tried.to_dict()["scheme"][key] for key in ("spacing", "hold")} == {
        "spacing": 2.0,
        "hold": 0.25,
    }
    found = measured(setting, [tried.with_(warmup="1 min", duration="5 min")])
    assert found.arrived > 0
    assert found.said.startswith("spacing = 2, hold = 0.25: ")
