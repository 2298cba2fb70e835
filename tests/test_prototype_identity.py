"""What tells the runs of a scheme in Python apart: its code, and all that it refers to."""

import math
import os
import random
import subprocess
import sys
import threading
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import multihop
from multihop import PrototypeError, prototype, run, sweep as run_sweep
from multihop.prototype import Context, Packet, Params, Tcp
from multihop.prototype.identity import digest_of
from tests.prototypes import forgotten, registered, scenario

pytestmark = pytest.mark.engine

__all__ = ["forgotten"]

GAIN = 1.0
LIMITS = {"first": 3, "others": [1, 2]}
CURVE = np.linspace(0, 1, 5)
FTP = {"traffic": {"kind": "ftp", "start": "0 s"}}


@dataclass(frozen=True)
class Setting:
    gain: float


SETTING = Setting(1.0)
HELPERS = types.ModuleType("helpers_of_a_test")
exec("GAIN = 1.0\nOTHER = 5\ndef half(): return GAIN / 2", vars(HELPERS))


def scaled(value: float) -> float:
    return value * GAIN


class Steered(prototype.CongestionControl):
    share = 1.0

    def on_ack(self, context: Context, tcp: Tcp) -> None:
        tcp.window += scaled(self.share) * SETTING.gain * HELPERS.half() * CURVE[-1] / tcp.window
        tcp.window += len(LIMITS["others"])  # type: ignore[arg-type]


def change(name: str, value: Any) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setitem(globals(), name, value)


@pytest.mark.parametrize(
    "make",
    [
        change("GAIN", 2.0),
        change("SETTING", Setting(2.0)),
        change("CURVE", np.linspace(0, 2, 5)),
        change("scaled", lambda value: 3 * value),
        lambda patch: patch.setattr(HELPERS, "GAIN", 2.0),
        lambda patch: patch.setattr(Steered, "share", 2.0),
        lambda patch: patch.setitem(LIMITS, "others", [1]),
    ],
    ids=["number", "dataclass", "array", "function", "module", "class", "nested"],
)
def test_what_code_refers_to_tells_runs_apart(
    make: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = scenario(registered(control=Steered))
    first = digest_of(one.json)
    assert digest_of(one.json) == first
    make(monkeypatch)
    assert digest_of(one.json) != first
    monkeypatch.undo()
    assert digest_of(one.json) == first


def test_what_code_does_not_refer_to_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    one = scenario(registered(control=Steered))
    first = digest_of(one.json)
    monkeypatch.setattr(HELPERS, "OTHER", 6)
    monkeypatch.setitem(globals(), "FTP", {})
    assert digest_of(one.json) == first


NOTEBOOK = """
import sys
from multihop import Scenario, prototype, sweep
GAIN = float(sys.argv[1])
NAMES = {"a", "b", "c", "d"}
class Steered(prototype.CongestionControl):
    def on_ack(self, context, tcp):
        if "a" in {"a", "b", "c"} and NAMES:
            tcp.window += GAIN / tcp.window
prototype.register(prototype.Scheme("steered", control=Steered))
base = Scenario.from_dict({
    "warmup": "0 s", "duration": "5 s", "topology": {"kind": "chain", "hops": 4},
    "scheme": {"name": "steered"}, "traffic": {"kind": "ftp"},
})
for gain in map(float, sys.argv[1:]):
    GAIN = gain
    result = sweep(base, {"seed": [1]}, "out", progress=False)
    print(result.runs["goodput_bit_s"][0])
"""


def test_a_global_that_is_changed_makes_new_runs_and_the_old_ones_are_found_again(
    tmp_path: Path,
) -> None:
    def typed(*gains: float) -> list[float]:
        command = [sys.executable, "-c", NOTEBOOK, *map(str, gains)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [float(line) for line in done.stdout.split()]

    slow, fast = typed(0.02, 20)
    assert slow != fast
    parts = list((tmp_path / "out" / "parts").iterdir())
    assert len(parts) == 2
    # In another process the same code has the same name.
    assert typed(20, 0.02) == [fast, slow]
    assert list((tmp_path / "out" / "parts").iterdir()) == parts


def reads_environment() -> str | None:
    return os.environ.get("MULTIHOP_TEST_GAIN")


def reads_file() -> str:
    return Path("gain.txt").read_text(encoding="utf-8")


def opens() -> str:
    with open("gain.txt", encoding="utf-8") as file:
        return file.read()


def imports() -> str | None:
    import os as system

    return system.getenv("MULTIHOP_TEST_GAIN")


def using(helper: Callable[[], Any]) -> type[prototype.Fifo]:
    class Using(prototype.Fifo):
        def __init__(self, params: Params) -> None:
            super().__init__(params)
            self.limit = int(helper() or 3)

    return Using


@pytest.mark.parametrize(
    ("helper", "what"),
    [
        (reads_environment, r"os\.environ \(reads_environment, line"),
        (reads_file, r"read_text \(reads_file, line"),
        (opens, r"open \(opens, line"),
        (imports, r"os\.getenv \(imports, line"),
    ],
)
def test_what_is_outside_must_be_named(helper: Callable[[], Any], what: str) -> None:
    with pytest.raises(PrototypeError, match=rf"takes .*{what}.*depends=\[\"table.csv\""):
        registered(hop=using(helper))
    scheme = prototype.Scheme("mine", hop=using(helper))
    prototype.register(scheme, depends=[])


def test_what_is_named_tells_runs_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MULTIHOP_TEST_GAIN", "2")
    (tmp_path / "gain.txt").write_text("2")
    scheme = prototype.Scheme("mine", hop=using(opens))
    prototype.register(scheme, depends=["gain.txt", "$MULTIHOP_TEST_GAIN", tmp_path])
    one = scenario("mine")
    names = [digest_of(one.json)]
    (tmp_path / "gain.txt").write_text("30")
    names.append(digest_of(one.json))
    monkeypatch.setenv("MULTIHOP_TEST_GAIN", "30")
    names.append(digest_of(one.json))
    assert len(set(names)) == 3
    with pytest.raises(PrototypeError, match=r"depends on '.*none.csv', which cannot be read"):
        prototype.register(scheme, depends=["none.csv"])
    with pytest.raises(PrototypeError, match="depends has 3; it lists files"):
        prototype.register(scheme, depends=[3])  # type: ignore[list-item]


LOCK = threading.Lock()


def locked() -> int:
    with LOCK:
        return 3


def test_what_cannot_be_told_is_refused_by_its_name() -> None:
    with pytest.raises(PrototypeError, match=r"refers to LOCK, an object of _thread\.lock, whose"):
        registered(hop=using(locked))
    with pytest.raises(PrototypeError, match="refers to eval, which makes names while it runs"):
        registered(hop=using(lambda: eval("GAIN")))
    prototype.register(prototype.Scheme("mine", hop=using(locked)), depends=[])
    assert digest_of(scenario("mine").json)


class Counting(prototype.CongestionControl):
    """Each connection is slower than all that were made before."""

    made: ClassVar[list[int]] = []

    def __init__(self, params: Params) -> None:
        super().__init__(params)
        self.made.append(1)

    def on_ack(self, context: Context, tcp: Tcp) -> None:
        tcp.window += 10 / len(self.made)


@pytest.fixture
def fresh() -> None:
    Counting.made.clear()


def test_state_in_a_class_stops_a_sweep_and_its_runs_do_not_count(
    tmp_path: Path, fresh: None
) -> None:
    base = scenario(registered(control=Counting), FTP)
    error = r"a run \(seed = 1\) was .* at first and is .*: runs change Counting\.made, which"
    for _ in range(2):
        Counting.made.clear()
        with pytest.raises(PrototypeError, match=error):
            run_sweep(base, {"seed": [1, 2]}, tmp_path / "out", progress=False)
        assert not list((tmp_path / "out" / "parts").iterdir())
    Counting.made.clear()
    with pytest.raises(PrototypeError, match=r"a run .* was"):
        multihop.compare(
            base, ["mine", "newreno"], seeds=[1], out=tmp_path / "both", progress=False
        )
    # The runs of the other scheme stay.
    kept = run_sweep(
        base.with_(**{"scheme.name": "newreno"}), {"seed": [1]}, tmp_path / "both", progress=False
    )
    assert kept.runs.height == 1


def test_randomness_of_its_own_stops_a_sweep(tmp_path: Path) -> None:
    class Dicing(prototype.CongestionControl):
        def on_ack(self, context: Context, tcp: Tcp) -> None:
            tcp.window += random.random()

    base = scenario(registered(control=Dicing), FTP)
    with pytest.raises(PrototypeError, match=r"take randomness from context\.random\(\)"):
        run_sweep(base, {"seed": [1]}, tmp_path, progress=False)


def test_stored_results_that_the_code_gives_no_more_are_not_returned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prototype.register(prototype.Scheme("mine", hop=using(reads_environment)), depends=[])
    base = scenario("mine")
    first = run_sweep(base, {"seed": [1]}, tmp_path, progress=False)
    monkeypatch.setenv("MULTIHOP_TEST_GAIN", "1")
    with pytest.raises(PrototypeError, match="depend on something beside its code"):
        run_sweep(base, {"seed": [1]}, tmp_path, progress=False)
    monkeypatch.delenv("MULTIHOP_TEST_GAIN")
    again = run_sweep(base, {"seed": [1]}, tmp_path, progress=False)
    assert again.runs.equals(first.runs)


def test_check_finds_state_that_is_shared(fresh: None) -> None:
    rows = prototype.check(registered(control=Counting))
    assert any("Counting.made" in row.found and not row.ok for row in rows), rows
    # Whoever has run it before finds that, too.
    rows = prototype.check("mine")
    assert rows[0].network == "its code"
    assert "Counting.made changed since it was registered" in rows[0].found


def test_check_finds_clocks_and_randomness_in_the_code() -> None:
    class Late(prototype.Fifo):
        def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
            import time

            if time.time() < 0:
                return
            super().on_enqueue(context, packet, to)

    class Shuffling(prototype.Fifo):
        def on_enqueue(self, context: Context, packet: Packet, to: int) -> None:
            super().on_enqueue(context, packet, to)
            if math.isinf(context.now_s):
                np.random.shuffle(self.waiting)  # type: ignore[arg-type]

    class Seeded(prototype.Fifo):
        def __init__(self, params: Params) -> None:
            super().__init__(params)
            self.own = random.Random(7)

    for hop, found in (
        (Late, "it takes time.time (Late.on_enqueue, line"),
        (Shuffling, "it takes numpy.random.shuffle (Shuffling.on_enqueue, line"),
    ):
        row = prototype.check(registered(hop=hop))[0]
        assert row.found.startswith(found)
        assert not row.ok
    assert prototype.check(registered(hop=Seeded))[0].ok


def test_a_run_after_others_is_part_of_a_check() -> None:
    class Wearing(prototype.Fifo):
        def __init__(self, params: Params) -> None:
            super().__init__(params)
            worn["out"] += 1
            self.limit = 0 if worn["out"] > 100 else 49

    worn = {"out": 0}
    rows = prototype.check(registered(hop=Wearing))
    assert rows[-1].network == "once more, after all others"
    assert not rows[-1].ok


def test_a_run_leaves_no_trace_in_a_scheme_that_is_as_it_should_be() -> None:
    name = registered(control=Steered)
    rows = prototype.check(name)
    assert [row for row in rows if not row.ok] == []
    before = digest_of(scenario(name).json)
    run(scenario(name, FTP))
    assert digest_of(scenario(name).json) == before
