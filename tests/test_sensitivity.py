import pytest

from multihop import Scenario
from multihop_papers.cxcc import sensitivity
from multihop_papers.cxcc.setup import SCENARIO


@pytest.mark.long
def test_every_setting_can_be_run() -> None:
    base = Scenario.from_file(SCENARIO).with_(warmup="1 s", duration="1 s")
    choices = sum(len(values) for values in sensitivity.OPEN.values())
    assert sensitivity.open_parameters(base, seeds=1).row_count == 1 + choices
    readings = len(sensitivity.READINGS)
    assert sensitivity.against_optimum(base, seeds=1).row_count == 2 * readings
    assert sensitivity.queues(base, seeds=1).row_count == 8
