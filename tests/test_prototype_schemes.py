"""How schemes in Python become known, and what keeps their results apart."""

import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import multihop
from multihop import (
    PrototypeError,
    ScenarioError,
    prototype,
    record,
    replay,
    run,
    sweep as run_sweep,
)
from multihop.prototype import Context, Packet, Params, Received, Request, Sent
from multihop.running.tracing import made_by
from multihop.scenario.examples import prototypes
from tests.conftest import Cli
from tests.prototypes import (
    EXAMPLES,
    Reno,
    fingerprint,
    forgotten,
    registered,
    scenario,
)

pytestmark = pytest.mark.engine

__all__ = ["forgotten"]


def test_parameters_reach_the_scheme_in_seconds_and_are_checked() -> None:
    seen: list[Any] = []

    class Reading(prototype.Fifo):
        def __init__(self, params: Params) -> None:
            super().__init__(params)
            names = ("on", "count", "share", "wait", "queue_limit")
            seen.append([params[name] for name in names])
            with pytest.raises(KeyError, match="there is no parameter 'limit'; there are: queue"):
                params["limit"]
            assert params.data_rate_bit_s == 1_000_000
            assert 0.004 < params.hop_time_s(512) < 0.01

    params = [
        prototype.Param("on", True),
        prototype.Param("count", 7, "a count", "packets", 1, 9),
        prototype.Param("share", 0.5, most=1),
        prototype.Param("wait", timedelta(milliseconds=20), most=timedelta(seconds=2)),
    ]
    name = registered(hop=Reading, params=params)
    run(scenario(name))
    given = {"on": False, "count": 9, "share": 1, "wait": "1.5 s", "queue_limit": 3}
    run(scenario(name, {"scheme": {"name": name} | given}))
    assert seen[0] == [True, 7, 0.5, 0.02, 49]
    assert seen[-1] == [False, 9, 1.0, 1.5, 3]
    for key, value, error in (
        ("count", 10, r"scheme.count: must lie between 1 and 9 packets \(got 10\)"),
        ("wait", "3 s", "scheme.wait: must lie between 0 s and 2 s"),
        ("wait", 3, "scheme.wait"),
        ("on", 3, "scheme.on: wants true or false"),
        ("off", True, "unknown key 'off'; known: name, queue_limit, on"),
    ):
        with pytest.raises(ScenarioError, match=error):
            scenario(name, {"scheme": {"name": name, key: value}})


@pytest.mark.parametrize(
    ("keys", "error"),
    [
        (
            {"hop": prototype.Fifo, "name": "My Scheme"},
            "scheme 'My Scheme': a name has small letters",
        ),
        ({"hop": prototype.Fifo, "name": "udp"}, "scheme 'udp': there is one of this name already"),
        ({"hop": prototype.Fifo, "base": "tcp"}, "there is no base 'tcp'; built in are: udp, cxcc"),
        ({}, "give a hop protocol, a source and a destination, or a congestion control"),
        ({"source": prototype.Datagram}, "a source and a destination go together"),
        ({"hop": Reno}, "hop is a class derived from Hop"),
        ({"hop": prototype.Fifo.__new__(prototype.Fifo)}, "hop is a class derived from Hop"),  # type: ignore[arg-type]
        ({"control": Reno, "base": "cxcc"}, "and 'cxcc' is none; take newreno"),
        ({"hop": prototype.Fifo, "params": ["x"]}, "params are of prototype.Param, not str"),
        (
            {"hop": prototype.Fifo, "params": [prototype.Param("queue_limit", 1)]},
            "parameter 'queue_limit' is there already",
        ),
        ({"hop": prototype.Fifo, "color": "red"}, "a colour is #rrggbb, not 'red'"),
        ({"hop": prototype.Fifo, "mac": "tdma"}, "mac is dcf or csma, not 'tdma'"),
        (
            {"control": Reno, "source": prototype.Datagram, "destination": prototype.Datagram},
            "a congestion control is that of TCP's ends",
        ),
    ],
)
def test_a_scheme_that_is_not_complete_is_refused(keys: dict[str, Any], error: str) -> None:
    with pytest.raises(PrototypeError, match=error):
        registered(**keys)


def test_a_parameter_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(PrototypeError, match="a name has small letters"):
        prototype.Param("Wait", 1)
    with pytest.raises(PrototypeError, match="not str"):
        prototype.Param("wait", "20 ms")  # type: ignore[arg-type]
    with pytest.raises(PrototypeError, match="its default 3 does not lie between 5 and 9"):
        prototype.Param("wait", 3, least=5, most=9)


def test_a_scheme_is_known_until_it_is_forgotten_and_replaced_by_the_next_of_its_name() -> None:
    def known() -> list[str]:
        return [scheme["name"] for scheme in multihop.schemes()]

    before = known()
    name = registered(hop=prototype.Fifo)
    assert known() == [*before, "mine"]
    assert '"mine"' in multihop.schema()
    udp = fingerprint("udp")
    assert fingerprint(name) == udp

    class Short(prototype.Fifo):
        def __init__(self, params: Params) -> None:
            super().__init__(params)
            self.limit = 2

    registered(hop=Short)
    assert known() == [*before, "mine"]
    assert fingerprint(name) != udp
    prototype.unregister(name)
    assert known() == before
    with pytest.raises(ScenarioError, match="unknown scheme 'mine'"):
        scenario(name)


def test_what_needs_a_mac_that_is_not_there_is_refused() -> None:
    class Listening(prototype.Fifo):
        watches_air = True

        def on_heard(self, context: Context, frame: Received) -> bool | str:
            assert context.air.sending_s >= 0
            assert context.air.receiving_s > 0
            return super().on_heard(context, frame)

    name = registered(hop=Listening)
    run(scenario(name))
    with pytest.raises(ScenarioError, match="air time"):
        scenario(name, {"wired": {}})


def test_check_finds_what_no_scheme_may_do() -> None:
    class Forgetful(prototype.Fifo):
        def on_tx_done(self, context: Context, frame: Sent) -> Packet | int | None:
            self.sending = False
            return None

    class Dicing(prototype.Fifo):
        def poll_transmit(self, context: Context) -> Request | None:
            random.shuffle(self.waiting)
            return super().poll_transmit(context)

    class Mute(prototype.Fifo):
        def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
            context.drop(packet, "queue_full")

    for hop, found in (
        (Forgetful, "packets are still inside"),
        (Dicing, "two runs differ"),
        (Mute, "nothing was delivered"),
    ):
        rows = prototype.check(registered(hop=hop))
        assert any(found in row.found and not row.ok for row in rows), rows
    with pytest.raises(PrototypeError, match="there is no scheme 'udp' in Python"):
        prototype.check("udp")


def test_new_writes_the_examples(cli: Cli, tmp_path: Path) -> None:
    names = [example.name for example in prototypes()]
    assert names == sorted(path.stem for path in EXAMPLES.glob("*.py"))
    assert all(len(example.about) > 20 for example in prototypes())
    assert "LIFO over 802.11" in cli("list", "prototypes").stdout
    done = cli("new", "--prototype", "lifo")
    assert done.stdout == (
        "lifo.py written; next: multihop --with lifo.py run SCENARIO --set scheme.name=lifo\n"
    )
    assert (tmp_path / "lifo.py").read_text() == (EXAMPLES / "lifo.py").read_text()
    assert "'lifo.py' is there already" in cli("new", "--prototype", "lifo").stderr
    assert cli("new", "own", "--prototype", "few").returncode == 0
    assert prototype.load(tmp_path / "own.py") == ["few"]
    assert "there are: few, lifo, reports" in cli("new", "--prototype", "planet").stderr
    both = cli("new", "--prototype", "few", "--example", "dumbbell")
    assert (both.returncode, "two files" in both.stderr) == (2, True)


def write(path: Path, limit: int) -> Path:
    path.write_text(
        "from multihop import prototype\n\n\n"
        "class Short(prototype.Fifo):\n"
        "    def __init__(self, params):\n"
        "        super().__init__(params)\n"
        f"        self.limit = {limit}\n\n\n"
        "prototype.register(prototype.Scheme('short', hop=Short))\n"
    )
    return path


def test_a_changed_file_is_another_scheme_to_a_store(tmp_path: Path) -> None:
    file = tmp_path / "short.py"

    def losses(limit: int) -> tuple[int, int]:
        prototype.load(write(file, limit))
        result = run_sweep(scenario("short"), {"seed": [1]}, tmp_path / "out", progress=False)
        return result.flows["lost"].sum(), len(list((tmp_path / "out" / "parts").iterdir()))

    many, parts = losses(1)
    assert parts == 1
    assert losses(1) == (many, 1)
    few, parts = losses(30)
    assert few < many
    assert parts == 2
    first = made_by(scenario("short"))
    prototype.load(write(file, 1))
    assert made_by(scenario("short")) != first
    assert made_by(scenario("udp")).split() == first.split()[:2]


def test_a_changed_module_beside_it_is_another_scheme_too(tmp_path: Path) -> None:
    file, beside, below = tmp_path / "short.py", tmp_path / "numbers_.py", tmp_path / "parts"
    file.write_text(write(file, 1).read_text().replace("= 1", "= LIMIT"))
    file.write_text(f"from numbers_ import LIMIT\n{file.read_text()}")
    beside.write_text("LIMIT = 1\n\n\ndef late():\n    from parts import more\n")
    below.mkdir()
    (below / "__init__.py").write_text("")
    (below / "more.py").write_text("MORE = 1\n")
    (tmp_path / "another.py").write_text("A = 1\n")
    names = []
    for changed in (None, beside, below / "more.py", tmp_path / "another.py", None):
        if changed:
            changed.write_text(f"{changed.read_text()}\n# other\n")
        prototype.load(file)
        names.append(made_by(scenario("short")))
    assert [names.index(name) for name in names] == [0, 1, 2, 2, 2]


def test_a_cluster_does_not_know_schemes_of_this_process(tmp_path: Path) -> None:
    base = scenario(registered(hop=prototype.Fifo))
    with pytest.raises(PrototypeError, match="known to this process only"):
        run_sweep(base, {"seed": [1]}, tmp_path, on="tcp://nobody:1", progress=False)


def test_a_node_of_a_scheme_in_python_can_be_recorded_and_replayed(tmp_path: Path) -> None:
    base = scenario(registered(hop=prototype.Fifo))
    record(base, "n1", tmp_path / "n1.jsonl")
    assert replay(base, "n1", tmp_path / "n1.jsonl") > 100


def test_the_command_line_takes_files_of_schemes(cli: Cli, tmp_path: Path, tiny: Path) -> None:
    file = write(tmp_path / "short.py", 3)
    done = cli("--with", file, "run", tiny, "--set", "scheme.name=short")
    assert done.returncode == 0, done.stderr
    assert "short" in done.stdout
    assert "short" in cli("--with", file, "list", "schemes", "--json").stdout
    empty = tmp_path / "empty.py"
    empty.write_text("")
    for path, error in (
        (tmp_path / "none.py", "this is no Python file with schemes"),
        (tmp_path / "tiny.toml", "this is no Python file with schemes"),
        (empty, "it registers no scheme"),
    ):
        done = cli("--with", path, "list")
        assert done.returncode == 2
        assert error in done.stderr


def test_the_command_line_prints_the_lines_of_a_scheme_that_fails(
    cli: Cli, tmp_path: Path, tiny: Path
) -> None:
    file = write(tmp_path / "short.py", 3)
    working = file.read_text()
    file.write_text(
        working.replace("Fifo):\n", "Fifo):\n    def poll_transmit(self, context): 1 / 0\n")
    )
    done = cli("--with", file, "run", tiny, "--set", "scheme.name=short")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[1] == f'  File "{file}", line 5, in poll_transmit'
    assert lines[-2] == "ZeroDivisionError: division by zero"
    assert lines[-1].startswith("the hop protocol of 'short': Short.poll_transmit at node ")
    done = cli("--with", file, "compare", tiny, "--schemes", "udp,short", "--out", tmp_path)
    assert (done.returncode, "short.py, line 5; `multihop status" in done.stderr) == (1, True)
    file.write_text(working + "1 / 0\n")
    done = cli("--with", file, "list")
    assert (done.returncode, done.stderr.count("  File ")) == (1, 1)
    file.write_text("class Short(:\n")
    done = cli("--with", file, "list")
    assert (done.returncode, done.stderr.count("  File ")) == (1, 1)
    assert done.stderr.splitlines()[-1] == f"while {file} was loaded (--with)"


def test_a_store_of_a_scheme_in_python_is_compared_with_its_file_only(
    cli: Cli, tmp_path: Path, tiny: Path
) -> None:
    file = write(tmp_path / "short.py", 3)
    out = tmp_path / "out"
    done = cli("--with", file, "compare", tiny, "--schemes", "udp,short", "--out", out)
    assert done.returncode == 0, done.stderr
    prototype.unregister("short")  # as in another process
    done = cli("compare", out)
    assert done.returncode == 2
    assert "there is no scheme 'short' here; if it is in Python, give its file" in done.stderr
    assert cli("--with", file, "compare", out).returncode == 0
