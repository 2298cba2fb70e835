"""What limits networks whose limit is built in: named first, and what is built out is not named."""

import pytest

from tests.why_gallery import CASES, PAGE, SHOWN, asked, section

# So many of them may be named wrongly.
MISSED = 1


def test_there_are_twenty_with_something_built_in_and_something_built_out() -> None:
    assert len(CASES) >= 20
    assert len({case["name"] for case in CASES}) == len(CASES)
    for case in CASES:
        assert case["built_in"], case["name"]
        assert case["built_out"], case["name"]
        assert not {*case["built_in"]} & {*case["built_out"]}, case["name"]


@pytest.mark.parametrize(
    "name", ["two hidden senders", "EIFS", "an asymmetric link", "two hidden relays of LoRa"]
)
def test_some_are_named(name: str) -> None:
    case = next(case for case in CASES if case["name"] == name)
    found = asked(case)
    assert found.causes[0] in case["built_in"]
    assert not {*found.causes} & {*case["built_out"]}
    if case in SHOWN:
        assert section(case, found) in PAGE.read_text(encoding="utf-8")


def test_the_page_has_ten_networks() -> None:
    assert PAGE.read_text(encoding="utf-8").count("\n## ") == len(SHOWN) == 10


@pytest.mark.long
def test_nearly_all_are_named_first_and_nothing_that_was_built_out() -> None:
    found = {case["name"]: asked(case).causes for case in CASES}
    named = {case["name"]: {*found[case["name"]]} & {*case["built_out"]} for case in CASES}
    assert not {name: causes for name, causes in named.items() if causes}
    missed = [
        case["name"] for case in CASES if not {*found[case["name"]][:1]} & {*case["built_in"]}
    ]
    assert len(missed) <= MISSED, {name: found[name] for name in missed}
