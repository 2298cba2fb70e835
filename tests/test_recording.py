from pathlib import Path

import pytest

from multihop import OutputError, ReplayError, Scenario, ScenarioError, record, replay
from tests.conftest import Cli

pytestmark = pytest.mark.engine

CHAIN = Scenario.from_dict(
    {
        "warmup": "0 s",
        "duration": "5 s",
        "topology": {"kind": "bidirectional-chain", "hops": 4},
        "scheme": {"name": "cxcc"},
        "traffic": {"load": "100 kbit/s"},
    }
)


TCP = CHAIN.with_(
    **{
        "scheme.name": "lecn",
        "routing": {"kind": "aodv"},
        "traffic": {"kind": "ftp"},
    }
)


@pytest.mark.parametrize("node", ["n0", "n2", "n4"])
@pytest.mark.parametrize("scenario", [CHAIN, TCP], ids=["cxcc", "lecn over aodv"])
def test_a_node_does_the_same_again(tmp_path: Path, scenario: Scenario, node: str) -> None:
    file = tmp_path / "node.jsonl"
    lines = record(scenario, node, file)
    assert lines > 500
    assert replay(scenario, node, file) == lines


def test_another_node_does_something_else(tmp_path: Path) -> None:
    file = tmp_path / "n2.jsonl"
    record(CHAIN, "n2", file)
    with pytest.raises(ReplayError, match="line "):
        replay(CHAIN, "n1", file)


def test_a_recording_that_is_cut_off_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "n2.jsonl"
    lines = record(CHAIN, "n2", file)
    file.write_text(file.read_text()[:-10])
    with pytest.raises(ReplayError, match=f"line {lines} is not part of a recording"):
        replay(CHAIN, "n2", file)


def test_an_unknown_node_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="no node 'n9'; the nodes are n0 to n4"):
        record(CHAIN, "n9", tmp_path / "x")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory; check the path"),
        (b"", "is empty; write one with `multihop record`"),
        (b"\n \n", "is empty"),
        (b"\xff\xfe", "it is not UTF-8 text"),
    ],
)
def test_what_is_no_recording_is_named(tmp_path: Path, content: bytes | None, message: str) -> None:
    file = tmp_path / "n2.jsonl"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(OutputError, match=f"n2.jsonl: .*{message}"):
        replay(CHAIN, "n2", file)


def test_a_folder_is_no_recording(cli: Cli, tiny: Path) -> None:
    done = cli("replay", tiny, ".", "--node", "n1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: .: cannot be read: Is a directory; check the path\n"
