"""What programs make of code and of stored results is what stands in the tree."""

import pytest

from tests.generate import MAKERS


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_it_is_what_the_program_makes(name: str) -> None:
    differing = [
        str(path)
        for path, text in MAKERS[name]().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    assert not differing, f"make generate, or python -m tests.generate {name}"
