"""The names of methods and attributes: those that the engine knows, and those that look alike."""

import re
from pathlib import Path
from typing import Any

import pytest

from multihop import PrototypeError, Scenario, prototype, run
from multihop.prototype import Context, Params, Tcp
from multihop.prototype.methods import IN_RUST_ONLY, TRAITS, WITHIN, methods
from tests.prototypes import EXAMPLES, fingerprint_of, forgotten, registered, scenario

pytestmark = pytest.mark.engine

__all__ = ["forgotten"]

ROOT = EXAMPLES.parent.parent
PAIR = ROOT / "crates" / "sim" / "src" / "tests"


def does_nothing(*_: Any) -> None:
    """Stand for a method."""


@pytest.mark.parametrize(
    ("base", "name", "error"),
    [
        ("CongestionControl", "on_acknowledgment", r"did you mean on_ack\? The methods of a Cong"),
        ("CongestionControl", "on_acks", r"Mine\.on_acks is never called; did you mean on_ack\?"),
        ("CongestionControl", "onAck", r"did you mean on_ack\?"),
        ("CongestionControl", "on_arrival", r"the methods of a CongestionControl are: on_ack, on_"),
        ("CongestionControl", "on_timeout", "another name now: on_deadline .* on_retransmission_t"),
        ("Fifo", "on_timeout", "Mine.on_timeout has another name now: on_deadline"),
        ("Datagram", "on_timeout", "Mine.on_timeout has another name now: on_deadline"),
        ("Fifo", "poll_transmission", "is never called"),
        ("Fifo", "admit", r"did you mean admits\?"),
        ("Fifo", "hasRoom", r"did you mean has_room\?"),
        ("Fifo", "frame_clas", r"did you mean frame_class\?"),
        ("Datagram", "want_message", r"did you mean wants_message\?"),
        ("Datagram", "poll_sends", r"did you mean poll_send\?"),
    ],
)
def test_a_method_that_is_never_called_is_refused(base: str, name: str, error: str) -> None:
    cls = type("Mine", (getattr(prototype, base),), {name: does_nothing, "__module__": __name__})
    keys = {"CongestionControl": "control", "Fifo": "hop"}
    given = {keys[base]: cls} if base in keys else {"source": cls, "destination": cls}
    with pytest.raises(PrototypeError, match=f"scheme 'mine': .*{error}"):
        registered(**given)


@pytest.mark.parametrize(
    "body",
    [
        "self.deadline = context.now_s + 1",
        "self.deadline_ns = 7",
        "self.dead_line_s, self.x = 1, 2",
        "x = self.deadlines = {}",
        "self.promiscous = True",
        "def inner(): self.deadline = 3\n        inner()",
        "self.on_route = print",
    ],
)
def test_an_attribute_that_nothing_reads_is_refused(body: str, tmp_path: Path) -> None:
    text = f"""
from multihop import prototype
class Mine(prototype.Fifo):
    def on_enqueue(self, context, packet, to):
        {body}
        super().on_enqueue(context, packet, to)
prototype.register(prototype.Scheme("mine", hop=Mine))
"""
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(PrototypeError, match=r"scheme 'mine': Mine sets .*(did you mean|never c)"):
        prototype.load(tmp_path / "mine.py")


def test_a_class_attribute_that_nothing_reads_is_refused() -> None:
    for name, like in (
        ("deadline", "deadline_s"),
        ("promiscuos", "promiscuous"),
        ("watch_air", "watches_air"),
    ):
        cls = type("Mine", (prototype.Fifo,), {name: 1.0, "__module__": __name__})
        with pytest.raises(PrototypeError, match=rf"sets {name}, .* did you mean {like}\?"):
            registered(hop=cls)


def test_objects_refuse_what_their_class_could_not_show() -> None:
    class Hidden(prototype.Fifo):
        def __init__(self, params: Params) -> None:
            super().__init__(params)
            vars(self)["deadline"] = 1.0

    name = registered(hop=Hidden)
    with pytest.raises(PrototypeError, match=r"Hidden sets deadline, .* did you mean deadline_s"):
        run(scenario(name))


def test_names_of_ones_own_are_free() -> None:
    class Own(prototype.Fifo):
        _deadline = 3.0
        share = 0.5

        def __init__(self, params: Params) -> None:
            super().__init__(params)
            self.timer = self.sent = self.rate = 0
            self._promiscous = True

        def route_of(self, to: int) -> int:
            return to

        def _on_something(self) -> None:
            """Help."""

    assert run(scenario(registered(hop=Own))).runs["transmissions"][0] > 0


def test_a_class_that_changes_nothing_is_refused() -> None:
    class Empty(prototype.Fifo):
        """It says what it would be."""

        limits = 3

        def help(self) -> None:
            """Help nobody."""

    error = r"Empty changes nothing of Fifo; the methods of a Hop are: on_enqueue, on_heard, poll"
    with pytest.raises(PrototypeError, match=error):
        registered(hop=Empty)


@pytest.mark.parametrize("name", ["nan", "inf", "true", "false"])
def test_a_name_that_is_a_value_is_refused(name: str) -> None:
    with pytest.raises(PrototypeError, match="the command line reads this name as a number or"):
        registered(name=name, hop=prototype.Fifo)


def test_an_impossible_value_is_told_with_its_class_and_its_attribute() -> None:
    class Wild(prototype.CongestionControl):
        def on_ack(self, context: Context, tcp: Tcp) -> None:
            tcp.window = float("nan")

    ftp = {"traffic": {"kind": "ftp", "start": "0 s"}}
    with pytest.raises(ValueError, match=r"tcp.window is NaN; it is at least 1 segment") as raised:
        run(scenario(registered(control=Wild), ftp))
    (note,) = raised.value.__notes__
    assert note.startswith("the congestion control of 'mine': Wild.on_ack at node ")


def test_methods_have_the_names_of_the_traits() -> None:
    found = methods()
    for cls, file in TRAITS.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        trait = re.search(rf"pub trait {cls.__name__}\b.*?\n}}\n", text, re.DOTALL)
        assert trait is not None
        names = set(re.findall(r"^    fn (\w+)", trait[0], re.MULTILINE))
        mine = [method for method in found if method.cls is cls]
        assert {method.rust for method in mine} | IN_RUST_ONLY[cls] == names
        others = {method.python: method.rust for method in mine if method.python != method.rust}
        assert others.items() <= {**WITHIN, "deadline_s": "deadline"}.items()
        assert all(method.about for method in mine)


def test_the_same_scheme_in_python_and_in_rust_gives_the_same_run() -> None:
    prototype.load(EXAMPLES / "lifo.py")
    one = Scenario.from_file(PAIR / "lifo.toml")
    assert fingerprint_of(one) == (PAIR / "lifo.txt").read_text().strip()
