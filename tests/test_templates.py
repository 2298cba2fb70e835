"""HTML is made by templates, and every text in it is escaped."""

import re
from pathlib import Path
from types import SimpleNamespace

import jinja2
import pytest

from multihop.engine.templates import rendered

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "multihop"
# An element of a page in a string that Python fills.
ELEMENT = re.compile(
    r"""f["'][^"'\n]*</?(p|div|table|thead|tr|td|th|ul|li|section|article|h\d)\b"""
)


def test_a_text_is_no_markup() -> None:
    lesson = SimpleNamespace(
        name="one-hop", title="1 < 2 & <b>", text="<script>alert('x')</script>"
    )
    page = rendered("multihop.viewing", "index.html", style="a > b", lessons=[lesson])
    assert '<h2><a href="one-hop.html">1 &lt; 2 &amp; &lt;b&gt;</a></h2>' in page
    assert "<script>" not in page
    assert "<style>a > b</style>" in page


def test_a_name_without_a_value_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError, match="'lessons' is undefined"):
        rendered("multihop.viewing", "index.html", style="")


def test_no_module_writes_elements_itself() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {match[0]}"
        for path in PACKAGE.rglob("*.py")
        for match in ELEMENT.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)
    assert ELEMENT.search('f"<li>{name}</li>"'), "what is looked for is found"
