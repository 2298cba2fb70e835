"""What programs make of code and of stored results is what stands in the tree."""

import re
import tokenize

import pytest

from tests.generate import MAKERS, ROOT

pytestmark = pytest.mark.engine

# Since Python 3.12 the text of an f-string is a token of its own.
TEXTS = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_it_is_what_the_program_makes(name: str) -> None:
    differing = [
        str(path)
        for path, text in MAKERS[name]().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    assert not differing, f"make generate, or python -m tests.generate {name}"


def test_no_program_states_what_was_measured() -> None:
    """A mean with its error stands in data, or in a document of who has measured it."""
    measured = re.compile(r"\d ?± ?\d")
    assert measured.search("95.6 ± 2.7 kbit/s")
    found = []
    for path in sorted([*ROOT.glob("python/**/*.py"), *ROOT.glob("packages/**/*.py")]):
        with tokenize.open(path) as source:
            for token in tokenize.generate_tokens(source.readline):
                if token.type in TEXTS and measured.search(token.string):
                    found.append(f"{path.relative_to(ROOT)}:{token.start[0]}")
    assert not found, "\n".join(found)
