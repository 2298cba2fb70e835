"""The page's structure: what a reader, a screen reader and a narrow screen find in it."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from multihop._multihop import radio
from multihop.charting.chain import RECEIVE_M, SENSE_M, draw_chain
from multihop.charting.figure import FLOWS, PAGE_WIDTH, Line, canvas, draw_lines
from multihop.gallery.demo import EFFORT, STUDY, demo
from multihop.reporting import glossary
from multihop.reporting.report import Page, Picture, Table, render
from multihop.reporting.standing import Cost, standings
from multihop.reporting.verdict_look import FOLDED, SIGNS
from multihop.reporting.verdicts import Elsewhere, RowVerdict, Verdict, paper_of, scores
from multihop.reproducing import registry
from tests.contrast import CSS

VOID = {"meta", "br", "hr", "img", "input", "link"}
# A phone's width and the page's padding, in CSS pixels.
PHONE, PADDING, LEGIBLE = 390, 16, 11.0
LONG = ("tested and tested again " * 10).strip()
VERDICTS = (
    Verdict("cxcc/fig8a", "close to the <optimum>", "at least 0.9", "1.00", "reproduced"),
    Verdict("cxcc/fig8b", "RFA keeps it", "at least 0.9", "0.63", "differs", LONG),
    Verdict("cxcc/fig9", "delays differ", "3 to 7.5", "4.1", "calibrated", "the window"),
    Verdict("hxh/table4.1", "totals", "within 25 %", "1 %", "reproduced"),
)
ROWS = (
    RowVerdict(("cxcc/fig8a", "cxcc/fig8b"), "throughput", "differs"),
    RowVerdict(("cxcc/fig9",), "delay", "partly", "only the baseline"),
    RowVerdict(("cxcc/fig22",), "a testbed", "missing", "needs six radios"),
    RowVerdict(("hxh/table4.1",), "three rates", "reproduced"),
)
PANELS = {
    "cxcc/fig8": ("cxcc/fig8a", "cxcc/fig8b"),
    "cxcc/fig9": ("cxcc/fig9",),
    "hxh/table4.1": ("hxh/table4.1",),
}


class Node:
    """An element; `text` is that of everything in it."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: "Node | None") -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.parts: list[Node | str] = []

    @property
    def text(self) -> str:
        if self.tag == "style":
            return ""
        return "".join(p if isinstance(p, str) else p.text for p in self.parts)

    def all(self, tag: str = "", cls: str = "") -> Iterator["Node"]:
        for part in self.parts:
            if isinstance(part, Node):
                if tag in ("", part.tag) and (not cls or cls in part.classes):
                    yield part
                yield from part.all(tag, cls)

    def one(self, tag: str = "", cls: str = "") -> "Node":
        (found,) = self.all(tag, cls)
        return found

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()


class Tree(HTMLParser):
    """Every element is closed, by its own tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = self.at = Node("", {}, None)
        self.feed(text)
        assert self.at is self.root, f"<{self.at.tag}> is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {key: value or "" for key, value in attrs}, self.at)
        self.at.parts.append(node)
        self.at = self.at if tag in VOID else node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.parts.append(Node(tag, {key: value or "" for key, value in attrs}, self.at))

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> in <{self.at.tag}>"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.parts.append(data)


def picture(name: str, panels: tuple[str, ...]) -> Picture:
    x = np.array([1.0, 2.0, 3.0])
    with canvas(name.replace("/", "-"), len(panels), columns=2, size=(4.6, 3.1)) as drawing:
        for number, axes in enumerate(drawing.axes):
            lines = [Line(f"UDP {n}", FLOWS[n], x, x * (n + 1), x / 10) for n in range(2)]
            draw_lines(axes, lines, x="load (kbit/s)", y="throughput (kbit/s)")
            axes.set_title(f"panel {number}")
        drawing.legend()
        return drawing.picture(name, f"About {name}", panels)


@pytest.fixture(scope="module")
def tree() -> Node:
    page = Page(
        title="A page",
        lead="Its lead.",
        command="multihop reproduce cxcc & more",
        engine="0.1.0",
        papers={"cxcc": "Somebody: CXCC. 2008."},
        scores=scores(ROWS, VERDICTS),
        rows=ROWS,
        standings=standings(ROWS, VERDICTS, {"cxcc": Cost(7, 90.4)}, " ".join),
        verdicts=VERDICTS,
        pictures=tuple(picture(name, panels) for name, panels in PANELS.items()),
        tables=(Table("Numbers", ("a", "b"), (("1", "2"),)),),
        notes=("How.",),
    )
    return Tree(render(page)).root


def by_id(tree: Node, name: str) -> Node:
    (found,) = [node for node in tree.all() if node.attributes.get("id") == name]
    return found


def test_every_link_leads_to_one_element(tree: Node) -> None:
    links = [a.attributes["href"] for a in tree.all("a")]
    inside = [link for link in links if link.startswith("#")]
    assert len(inside) > len(ROWS)
    for link in inside:
        by_id(tree, link[1:])
    # The runs lie beside the page.
    assert {link for link in links if not link.startswith("#")} == {
        "data/cxcc-fig8.parquet",
        "data/cxcc-fig9.parquet",
        "data/hxh-table4.1.parquet",
    }


def test_a_paper_has_a_table_of_its_rows(tree: Node) -> None:
    section = by_id(tree, "cxcc")
    head, *body = [list(row.all("td")) for row in section.one("table", "summary").all("tr")]
    assert head == []
    assert [[cell.text for cell in row[2:7]] for row in body] == [
        ["2", "1", "0", "0", "1"],
        ["1", "0", "1", "0", "0"],
        ["0", "0", "0", "0", "0"],
    ]
    assert body[0][0].text == "fig8a, fig8b: throughputcxcc/fig8a cxcc/fig8b"
    assert body[0][7].text == f"fig8b: RFA keeps it. {LONG}"
    assert [row[7].text for row in body[1:]] == ["only the baseline", "needs six radios"]
    assert "7 runs, 90 s of one core." in section.text


def test_contents_has_every_figure_with_its_verdict(tree: Node) -> None:
    links = {
        a.attributes["href"]: a.attributes["title"] for a in tree.one("nav").all("a") if a.classes
    }
    assert links == {
        "#cxcc/fig8": "differs",
        "#cxcc/fig9": "partly",
        "#cxcc/fig22": "missing",
        "#hxh/table4.1": "reproduced",
    }


def test_a_paper_has_a_score_of_rows_and_of_claims(tree: Node) -> None:
    cxcc, hxh = tree.one("nav").all("section", "card")
    assert [count.text for count in cxcc.all("p", "count")] == [
        "3 rows 1 differ, 1 partly, 1 missing",
        "3 claims 1 reproduced, 1 calibrated, 1 differ",
    ]
    assert [count.text for count in hxh.all("p", "count")] == [
        "1 rows 1 reproduced",
        "1 claims 1 reproduced",
    ]


def test_a_bar_is_as_long_as_its_counts(tree: Node) -> None:
    rows, claims = next(tree.all("section", "card")).all("div", "bar")
    for bar, expected in ((rows, "differs partly missing"), (claims, "reproduced calibrated")):
        grow = {span.classes[0]: span.attributes["style"] for span in bar.all("span")}
        assert set(expected.split()) <= grow.keys()
        assert set(grow.values()) == {"flex-grow:1"}


def test_each_panel_stands_with_its_own_claims(tree: Node) -> None:
    found = {}
    for article in tree.all("article"):
        for panel in article.all("div", "panel"):
            name = panel.attributes.get("id") or article.attributes["id"]
            panel.one("figure").one("svg")
            found[name] = [claim.one("b").text for claim in panel.one("ul", "claims").all("li")]
    assert found == {verdict.id: [verdict.claim] for verdict in VERDICTS}


def test_a_claim_has_a_sign_a_word_and_its_numbers(tree: Node) -> None:
    (claim,) = by_id(tree, "cxcc/fig8b").all("li", "differs")
    assert claim.one("span", "badge").text == f"{SIGNS['differs']}\N{NO-BREAK SPACE}differs"
    assert [
        (dt.text, dd.text) for dt, dd in zip(claim.all("dt"), claim.all("dd"), strict=True)
    ] == [
        ("measured", "0.63"),
        ("counts as", "at least 0.9"),
    ]
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_a_long_reason_is_folded_and_a_short_one_is_not(tree: Node) -> None:
    assert len(LONG) > FOLDED
    assert by_id(tree, "cxcc/fig8b").one("details").one("p").text == LONG
    assert not list(by_id(tree, "cxcc/fig9").all("details"))
    assert "the window" in by_id(tree, "cxcc/fig9").text


def test_what_is_missing_or_partly_judged_says_what_it_lacks(tree: Node) -> None:
    assert "needs six radios" in by_id(tree, "cxcc/fig22").text
    assert "only the baseline" in by_id(tree, "cxcc/fig9").text


def test_what_another_command_has_found_stands_with_its_claims() -> None:
    other = Elsewhere("cxcc/fig22-linux", "multihop lab x")
    row = RowVerdict((other.id,), "by processes", "partly", "no radios", other)
    verdict = Verdict(other.id, "it stays", "at least 0.9", "0.4", "differs")
    page = Page(
        title="A page",
        lead="",
        command="multihop reproduce cxcc",
        engine="0.1.0",
        scores=scores([row], [verdict]),
        rows=[row],
        standings=standings([row], [verdict], {}, " ".join),
        verdicts=[verdict],
    )
    tree = Tree(render(page)).root
    article = by_id(tree, "cxcc/fig22-linux")
    assert "multihop lab x" in article.text
    assert article.one("ul", "claims").one("li").one("b").text == "it stays"
    links = [a.attributes["href"] for a in tree.all("a")]
    assert links.count("#cxcc/fig22-linux") == 2, "from the contents, and from the summary"
    (link,) = [a for a in tree.one("nav").all("a") if a.classes]
    assert link.attributes["title"] == "differs"
    unknown = Tree(render(replace(page, verdicts=()))).root
    assert "It was not run." in by_id(unknown, "cxcc/fig22-linux").text


def test_short_forms_are_spelled_out_in_the_section_that_uses_them(tree: Node) -> None:
    shown = {
        paper: [term.text for term in by_id(tree, paper).one("dl", "short").all("abbr")]
        for paper in ("cxcc", "hxh")
    }
    assert shown == {"cxcc": ["RFA", "UDP"], "hxh": ["UDP"]}
    assert "request for acknowledgment" in by_id(tree, "cxcc").one("dl", "short").text


def test_pictures_say_what_they_are(tree: Node) -> None:
    panels = [svg for figure in tree.all("figure") for svg in figure.all("svg")]
    assert len(panels) == 4
    for svg in panels:
        assert svg.attributes["role"] == "img"
        title, about = svg.one("title").text, svg.one("desc").text
        assert title.startswith("panel ")
        assert about == "throughput (kbit/s) over load (kbit/s). Shown: UDP 0; UDP 1."
        assert svg.attributes["aria-label"] == f"{title}. {about}"
    for swatch in tree.all("li"):
        for svg in swatch.all("svg"):
            assert svg.attributes["aria-hidden"] == "true"


def test_legends_are_words_of_the_page_beside_what_they_name(tree: Node) -> None:
    entries = list(by_id(tree, "cxcc/fig8").one("ul", "legend").all("li"))
    assert [entry.text.strip() for entry in entries] == ["UDP 0", "UDP 1"]
    dashed = ["stroke-dasharray: 5" in str(list(attributes(entry))) for entry in entries]
    assert dashed == [False, True]


def attributes(node: Node) -> Iterator[str]:
    yield from (value for inner in node.all() for value in inner.attributes.values())


def font_sizes(svg: Node) -> list[float]:
    """Return the sizes of a picture's texts on a phone, in CSS pixels."""
    width = float(svg.attributes["viewbox"].split()[2])
    assert width == pytest.approx(72 * PAGE_WIDTH)
    sizes = [
        float(re.findall(r"([\d.]+)px", text.attributes["style"])[0]) for text in svg.all("text")
    ]
    return [size * (PHONE - 2 * PADDING) / width for size in sizes]


def test_text_in_pictures_is_legible_on_a_phone(tree: Node) -> None:
    for figure in tree.all("figure"):
        sizes = font_sizes(figure.one("svg"))
        assert len(sizes) > 5
        assert min(sizes) >= LEGIBLE


def test_nothing_is_wider_than_a_phone(tree: Node) -> None:
    for svg in tree.all("svg"):
        assert not {"width", "height"} & svg.attributes.keys()
    assert "figure svg { display: block; width: 100%; height: auto; }" in CSS
    # What can be wider scrolls by itself; columns are never wider than the screen.
    for table in tree.all("table"):
        assert table.parent is not None
        assert "scroll" in table.parent.classes
    assert re.search(r"\.scroll \{ overflow-x: auto; \}", CSS)
    for columns in re.findall(r"minmax\((.*?), 1fr\)", CSS):
        assert columns.startswith("min(100%, ")
    assert not re.findall(r"width: \d{3,}px", CSS)


def test_names_of_elements_are_unique(tree: Node) -> None:
    ids = Counter(
        node.attributes["id"]
        for node in tree.all()
        if "id" in node.attributes and not inside(node, "svg")
    )
    assert set(ids.values()) == {1}


def inside(node: Node, tag: str) -> bool:
    return node.parent is not None and (node.parent.tag == tag or inside(node.parent, tag))


def test_text_of_others_is_not_markup(tree: Node) -> None:
    assert "close to the <optimum>" in by_id(tree, "cxcc/fig8a").text
    assert "multihop reproduce cxcc & more" in by_id(tree, "again").text


def test_every_paper_has_its_citation() -> None:
    listed = {paper_of(name) for row in registry.ROWS for name in row.ids}
    assert registry.CITATIONS.keys() == listed
    for citation in registry.CITATIONS.values():
        assert re.search(r"^[A-Z][\w, ]+: .*(\b(19|20)\d\d\b|undated)", citation)


def test_short_forms_are_found_as_words() -> None:
    assert glossary.used(["two NACKs, CXCC+RFA", "STACK"]).keys() == {"NACK", "CXCC", "RFA"}
    assert glossary.written("hxh") == "HxH"


def test_the_chain_is_drawn_with_its_nodes_flows_and_ranges() -> None:
    with canvas("chain", 1, columns=1, size=(4.0, 3.2)) as drawing:
        draw_chain(drawing.axes[0], hops=10, spacing=200.0)
        radii = sorted(patch.get_radius() for patch in drawing.axes[0].patches)  # type: ignore[attr-defined]
        svg = Tree(drawing.picture("chain", "A chain").drawings[0].svg).root.one("svg")
    assert radii == [RECEIVE_M, SENSE_M]
    words = [text.text for text in svg.all("text")]
    assert [word for word in words if word.isdigit()] == [str(node) for node in range(11)]
    assert {"flow 1: from node 0 to node 10", "flow 2: from node 10 to node 0"} <= set(words)
    assert {"receives within 250 m", "senses within 550 m"} <= set(words)
    assert min(font_sizes(svg)) >= LEGIBLE


def test_the_drawn_ranges_are_the_defaults() -> None:
    params = {param["name"]: param for param in radio()["params"]}
    for key, drawn in (("receive_range", RECEIVE_M), ("sense_range", SENSE_M)):
        assert params[key]["otherwise"] == f'"{drawn:g} m"'


@pytest.mark.long
def test_the_demo_draws_its_chain_and_explains_bars_and_seeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("multihop.gallery.demo.STUDY", replace(STUDY, values=(10, 200)))
    monkeypatch.setattr(
        "multihop.gallery.demo.EFFORT", replace(EFFORT, seeds=2, warmup="1 s", duration="1 s")
    )
    tree = Tree(demo(tmp_path, progress=False).page.read_text()).root
    assert "flow 1: from node 0 to node 10" in by_id(tree, "chain").one("svg").text
    assert "request for acknowledgment" in by_id(tree, "chain").text
    assert len(list(by_id(tree, "curves").all("figure"))) == 4
    (told,) = [s.text for s in tree.all("section") if "How to read it" in s.text]
    assert "a seed fixes every random number" in told
    assert "95 % confidence interval" in told
    assert "2 seeds, 1 s measured after 1 s" in told
