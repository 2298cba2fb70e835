"""The null world that claims are shown: nothing in it depends on anything."""

from multihop.reproducing.spec import Data
from multihop.statistics.stats import jain
from multihop_papers.cxcc.setup import BIDIRECTIONAL, CHAIN
from tests.worlds import measured, null


def world() -> Data:
    """Let throughput grow with the load, and differ from study to study and between flows."""

    def rule(name: str, x: float) -> tuple[dict[str, float], list[dict[str, float]]]:
        run = {"goodput_bit_s": x * len(name), "overhead": 1.0, "medium_bytes": 9.0}
        flows = [{"delivered": x, "hops": 10.0}, {"delivered": 2 * x, "hops": 10.0}]
        return run | {"transmissions": 2.0}, flows

    studies = (CHAIN, BIDIRECTIONAL)
    return Data({s.name: measured(s, lambda variant, x, _: rule(variant, x)) for s in studies})


def test_everything_measured_is_the_same_everywhere() -> None:
    levelled = null(world()).studies
    values = {
        float(value)
        for study in levelled.values()
        for variant in study.variants
        for value in study.values(variant, "goodput_bit_s").ravel()
    }
    assert len(values) == 1
    assert levelled[CHAIN.name].x.tolist() == world().studies[CHAIN.name].x.tolist()
    assert levelled[CHAIN.name].runs["flow0_delivered"].n_unique() == 1


def test_equality_is_a_matter_of_lot() -> None:
    drawn = null(world(), by_lot=("delivered",)).studies[CHAIN.name]
    assert drawn.flows["delivered"].n_unique() == drawn.flows.height
    assert drawn.flows["hops"].n_unique() == 1
    assert min(jain(run) for runs in drawn.shares("udp") for run in runs) < 0.6


def test_what_is_compared_is_alike() -> None:
    runs = null(world(), alike=("overhead", "medium_bytes")).studies[CHAIN.name].runs
    assert runs["overhead"].unique().to_list() == runs["medium_bytes"].unique().to_list() == [5.0]
